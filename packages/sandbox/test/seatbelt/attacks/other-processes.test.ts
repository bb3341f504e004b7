import { describe } from "vitest";
import { can } from "../checks/check.js";
import { OTHER_PROCESSES } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("signalling, tracing and steering other processes ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [
			...OTHER_PROCESSES,
			can("its own process can be signalled", "signal", { target: "self" }),
			can("what it started can be signalled", "signal", { target: "same-sandbox" }),
		],
	});
});
