import { describe, expect, it } from "vitest";
import { chooseSkills, type SkillChoice } from "../../src/matching/choose-skills.js";
import type { SkillMatch } from "../../src/matching/skill-match.js";
import type { AgentSkill } from "../../src/skill/agent-skill.js";

// only what is looked at: a bundle on disk for each would say nothing more
const skill = (name: string, instructions = ""): AgentSkill => ({ name, instructions }) as unknown as AgentSkill;
const [a, b, c] = [skill("a", "12345"), skill("b", "éé"), skill("c", "123")];
const sure = (one: AgentSkill): SkillMatch => ({ skill: one, score: 0.8, confidence: 0.9, tier: "active" });
const perhaps = (one: AgentSkill): SkillMatch => ({ skill: one, score: 0.3, confidence: 0.4, tier: "candidate" });
const chosen = (given: Partial<SkillChoice>): string[] =>
	chooseSkills({ named: [], matches: [], activation: "both", maxBytes: 1000, ...given }).map(
		({ skill: { name }, tier, reason }) => `${name} ${tier} ${reason}`,
	);

describe("chooseSkills()", () => {
	it.each([
		["both", ["a active fits", "b candidate may_fit"]],
		["prepend", ["a active fits"]],
		["tool", ["a candidate on_request", "b candidate may_fit"]],
	] as const)("with activation %s", (activation, expected) => {
		expect(chosen({ matches: [sure(a), perhaps(b)], activation })).toEqual(expected);
	});

	it("activates what was named before all else, once, whatever the activation", () => {
		expect(chosen({ named: [c, c], matches: [sure(a), perhaps(c)], activation: "tool" })).toEqual([
			"c active named",
			"a candidate on_request",
		]);
	});

	it("says the score of what was matched, and none of what was named", () => {
		const [named, matched] = chooseSkills({ named: [c], matches: [sure(a)], activation: "both", maxBytes: 1000 });
		expect([named, matched]).toEqual([
			{ skill: c, tier: "active", reason: "named" },
			{ skill: a, tier: "active", reason: "fits", score: 0.8, confidence: 0.9 },
		]);
	});

	it("keeps instructions within the bytes, offers what is beyond, and still takes a shorter one behind it", () => {
		expect(chosen({ matches: [sure(b), sure(a), sure(c)], maxBytes: 7 })).toEqual([
			"b active fits",
			"c active fits",
			"a candidate over_budget",
		]);
		expect(chosen({ matches: [sure(b)], maxBytes: 3 })).toEqual(["b candidate over_budget"]);
	});

	it("counts named instructions against the bytes and leaves none of them out", () => {
		expect(chosen({ named: [a], matches: [sure(c)], maxBytes: 4 })).toEqual(["a active named", "c candidate over_budget"]);
	});

	it("says of what fits and is beyond topK that it does, offers it where instructions are prepended, too, and counts none of its bytes", () => {
		const beyond = { ...perhaps(b), isBeyondTopK: true } as const;
		expect(chosen({ matches: [sure(a), beyond] })).toEqual(["a active fits", "b candidate beyond_top_k"]);
		expect(chosen({ matches: [sure(a), beyond], activation: "prepend" })).toEqual(["a active fits", "b candidate beyond_top_k"]);
		expect(chosen({ matches: [beyond], activation: "tool" })).toEqual(["b candidate on_request"]);
		expect(chosen({ matches: [beyond, sure(a)], maxBytes: 5 })).toEqual(["a active fits", "b candidate beyond_top_k"]);
	});

	it("tells the model of what is over the budget where instructions are prepended, too", () => {
		expect(chosen({ matches: [sure(a)], maxBytes: 1, activation: "prepend" })).toEqual(["a candidate over_budget"]);
	});
});
