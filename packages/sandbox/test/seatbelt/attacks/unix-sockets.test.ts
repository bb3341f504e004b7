import { describe } from "vitest";
import { UNIX_SOCKETS } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

const [, online] = SCENARIOS;

describe.each(SCENARIOS)("a UNIX socket of the host's ($name)", ({ profile }) => {
	itStops({ profile, checks: UNIX_SOCKETS });
});

/** As profiles of others are made. */
describe("the network granted without a filter", () => {
	const control = online.profile.replace("(allow network-outbound (remote ip))", "(allow network-outbound)");
	itStops({ profile: online.profile, checks: UNIX_SOCKETS.filter(({ operation }) => operation === "network-outbound"), control });
});
