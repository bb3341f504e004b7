import { describe } from "vitest";
import { can, device } from "../checks/check.js";
import { TERMINALS } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("typing into the terminal (TIOCSTI) ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [...TERMINALS, can("what it prints to stays open", "file-write-data", device("/dev/stdout"))],
	});
});

/** As profiles of others are made. */
describe("terminals by name", () => {
	const control = `(version 1)(deny default)(allow pseudo-tty)(allow file-ioctl file-read* file-write* (regex "^/dev/(tty|ptmx|console)"))`;
	itStops({ profile: SCENARIOS[0].profile, checks: TERMINALS, control });
});
