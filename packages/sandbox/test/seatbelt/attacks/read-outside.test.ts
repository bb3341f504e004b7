import { describe } from "vitest";
import { CLOSED_AROUND, GRANTED } from "../checks/inside.js";
import { READ_OUTSIDE } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("reading outside of the grant ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [...READ_OUTSIDE, ...CLOSED_AROUND, ...GRANTED].filter(({ operation }) => operation.startsWith("file-read")),
	});
});
