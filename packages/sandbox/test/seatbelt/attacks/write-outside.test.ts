import { describe } from "vitest";
import { CLOSED_AROUND, GRANTED } from "../checks/inside.js";
import { WRITE_OUTSIDE } from "../checks/outside.js";
import { SCENARIOS, SURROUNDED } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("writing outside of the grant, or into what is read-only in it ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [...WRITE_OUTSIDE, ...CLOSED_AROUND, ...GRANTED].filter(({ operation }) => !operation.startsWith("file-read")),
	});
});

describe("writing into the skill's own directory, where it lies in what may be written", () => {
	itStops({ profile: SURROUNDED.profile, checks: SURROUNDED.checks.filter(({ what }) => /skill/.test(what)) });
});
