import { describe } from "vitest";
import { can } from "../checks/check.js";
import { ENVIRONMENTS } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

const NEIGHBOURS = [
	can("its own process can be asked about", "process-info-pidinfo", { target: "self" }),
	can("what it started can be asked about", "process-info-pidinfo", { target: "same-sandbox" }),
	...["kern.hostname", "kern.osproductversion", "kern.procname", "hw.ncpu"].map((name) => can(`sysctl ${name}`, "sysctl-read", { name })),
];

describe.each(SCENARIOS)("the environment and the arguments of other processes ($name)", ({ profile }) => {
	itStops({ profile, checks: [...ENVIRONMENTS, ...NEIGHBOURS] });
});

/** As profiles of others are made: the host's keys are read by ps -E, or by KERN_PROCARGS2. */
describe("(deny default) alone, and every sysctl", () => {
	itStops({ profile: SCENARIOS[0].profile, checks: ENVIRONMENTS, control: "(version 1)(deny default)(allow sysctl-read)" });
});
