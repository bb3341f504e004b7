import { describe } from "vitest";
import { can, cannot } from "../checks/check.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

const [offline, online] = SCENARIOS;
const ADDRESSES = ["127.0.0.1:5432", "[::1]:6379", "localhost:2375", "udp://127.0.0.1:53", "[::ffff:127.0.0.1]:80"];

describe("a service on the host's loopback", () => {
	itStops({
		profile: offline.profile,
		checks: [
			...ADDRESSES.map((remote) => cannot(`${remote} cannot be reached without the network`, "network-outbound", { remote })),
			...ADDRESSES.slice(0, 3).map((local) => cannot(`${local} cannot be bound without the network`, "network-bind", { local })),
		],
	});
	itStops({
		profile: online.profile,
		checks: ADDRESSES.map((remote) => can(`${remote} can be reached with the network: it is on or off`, "network-outbound", { remote })),
	});
});
