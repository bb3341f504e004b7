import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../../src/sbpl/index.js";
import { can, canChange } from "../checks/check.js";
import { PROFILES } from "../checks/outside.js";
import { SURROUNDED } from "../checks/scenarios.js";
import { profileOf, TMP } from "../pretend-mac.js";
import { itStops } from "./attack.js";

describe("the profile of this run and of others, where the temporary directory may be written", () => {
	itStops({ profile: SURROUNDED.profile, checks: [...PROFILES, ...canChange(`${TMP}/robot-lab-other`)] });
});

describe("a second sandbox in this one", () => {
	/** What a child's own profile allows does not count: the kernel applies no second one, unless the first allows everything. */
	it("is refused by the kernel, as no profile allows everything", () => {
		expect(evaluateProfile("(version 1)(allow default)")("lsopen")).toMatchObject({ allowed: true, rule: "(allow default)" });
		for (const scene of [{}, { read: ["/"], network: true }, { write: ["/Volumes"], network: true, protect: false }]) {
			expect(evaluateProfile(profileOf(scene))("lsopen").rule).toBe("(deny default)");
		}
	});

	itStops({
		profile: SURROUNDED.profile,
		checks: [can("sandbox-exec can be started, and fails", "process-exec*", { path: "/usr/bin/sandbox-exec" })],
	});
});
