import { describe, expect, it } from "vitest";
import { can, file } from "../checks/check.js";
import { SETUID } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { SCRATCH } from "../pretend-mac.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("setuid and setgid ($name)", ({ profile }) => {
	itStops({ profile, checks: [...SETUID, can("other bits of a mode can be set", "file-write-mode", file(`${SCRATCH}/x`))] });

	/** The kernel starts none from inside a sandbox, unless a rule says `(with no-sandbox)`, as one for /bin/ps does elsewhere. */
	it("names no program that runs outside of the sandbox: programs are started by one rule, with nothing added", () => {
		const rules = profile.replace(/ ; .*$/gm, "").split(/\n(?=\()/);
		expect(rules.filter((rule) => rule.includes("process-exec"))).toEqual(["(allow process-exec*)"]);
		expect(profile).not.toMatch(/no-sandbox/);
		expect(profile).not.toContain("setugid");
	});
});
