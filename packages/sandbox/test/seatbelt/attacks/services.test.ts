import { describe } from "vitest";
import { can } from "../checks/check.js";
import { SERVICES } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("having a service or a program outside do it ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [...SERVICES, can("users can be looked up", "mach-lookup", { name: "com.apple.system.opendirectoryd.libinfo" })],
	});
});
