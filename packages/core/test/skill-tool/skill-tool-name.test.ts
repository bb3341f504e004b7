import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillToolName } from "../../src/skill-tool/skill-tool-name.js";

describe("skillToolName()", () => {
	it("is <skill>__<script> where a provider takes it", () => {
		expect(skillToolName("deploy-checker", "check_deploy", new Set())).toBe("deploy-checker__check_deploy");
	});

	it("does not depend on what else matched", () => {
		expect(skillToolName("a", "b", new Set())).toBe(skillToolName("a", "b", new Set(["a__c", "b"])));
	});

	it("ends in a hash where the name is too long, has other letters or is taken", () => {
		expect(skillToolName("s".repeat(60), "script", new Set())).toMatch(/^s{55}_[0-9a-f]{8}$/);
		expect(skillToolName("größe", "x", new Set())).toMatch(/^gr__e__x_[0-9a-f]{8}$/);
		expect(skillToolName("größe", "x", new Set())).not.toBe(skillToolName("grüse", "x", new Set()));
		expect(skillToolName("a", "b", new Set(["a__b"]))).toMatch(/^a__b_[0-9a-f]{8}$/);
	});

	it("always gives a name that providers take and nobody has", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.string({ maxLength: 80, unit: "grapheme" }), fc.string({ maxLength: 80 })), { maxLength: 8 }),
				(pairs) => {
					const taken = new Set<string>();
					for (const [skill, script] of [...pairs, ...pairs]) {
						const name = skillToolName(skill, script, taken);
						expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
						expect(taken.has(name)).toBe(false);
						taken.add(name);
					}
				},
			),
		);
	});
});
