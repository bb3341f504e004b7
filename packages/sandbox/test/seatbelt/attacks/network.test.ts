import { describe } from "vitest";
import { cannot } from "../checks/check.js";
import { ONLINE } from "../checks/needed.js";
import { OFFLINE, SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

const [offline, online] = SCENARIOS;

describe("the network without a grant: TCP, UDP, IPv6, names by socket and by service, a port of its own, the stack's control socket", () => {
	itStops({ profile: offline.profile, checks: OFFLINE });
	itStops({
		profile: offline.profile,
		checks: [
			cannot("no address of IPv6 by TCP", "network-outbound", { remote: "[2001:db8::1]:443" }),
			cannot("no name server by UDP", "network-outbound", { remote: "udp://1.1.1.1:53" }),
			cannot("no broadcast", "network-outbound", { remote: "udp://255.255.255.255:9" }),
			cannot("no port by UDP", "network-bind", { local: "udp://0.0.0.0:5353" }),
		],
	});
});

describe("the network with a grant", () => {
	itStops({ profile: online.profile, checks: ONLINE });
});
