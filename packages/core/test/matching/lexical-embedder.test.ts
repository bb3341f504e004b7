import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { lexicalEmbedder } from "../../src/embedding/lexical-embedder.js";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { skillsOf } from "./skills-of.js";

describe("lexicalEmbedder()", () => {
	// It guards what works; docs/matching.md measures how well, on other messages.
	it("finds the skill of each plain request first, and activates none for small talk", async () => {
		const set = JSON.parse(await readFile(new URL("matcher-messages.json", import.meta.url), "utf8"));
		const matcher = new SkillMatcher({ skills: await skillsOf(set.skills) });
		const wrong: string[] = [];
		const smallTalk: string[] = [];
		for (const [message, wanted] of set.messages as [string, string | null][]) {
			const [top] = await matcher.match(message);
			if (wanted === null && top?.tier === "active") smallTalk.push(message);
			if (wanted !== null && top?.skill.name !== wanted) wrong.push(`${message} -> ${top?.skill.name}`);
		}
		expect(wrong).toEqual([]);
		expect(smallTalk).toEqual([]);
	});

	it("gives unit vectors, the same for the same text, and zeros for a text without meaning", async () => {
		const embedder = lexicalEmbedder();
		const [one, two, none] = await embedder.embed(["Count words", "Count words", "what is this?"]);
		expect(one).toEqual(two);
		expect(Math.hypot(...(one as Float32Array))).toBeCloseTo(1, 5);
		expect(none?.every((value) => value === 0)).toBe(true);
		expect(await lexicalEmbedder().embed(["Count words"])).toEqual([one]);
	});

	it.each(["", " ", "🙂🙂", "\0", "日本語のテキスト", "x".repeat(100_000), "word ".repeat(200_000)])(
		"embeds the odd text %#",
		async (text) => {
			const [vector] = await lexicalEmbedder().embed([text]);
			expect(vector?.length).toBe(4_096);
			expect(vector?.every(Number.isFinite)).toBe(true);
		},
	);

	it("sees forms of a word and its parts as alike", async () => {
		const [count, counting, weather] = await lexicalEmbedder().embed(["count rows", "counting row", "weather forecast"]);
		const dot = (a?: ArrayLike<number>, b?: ArrayLike<number>): number =>
			Array.from(a ?? []).reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0);
		expect(dot(count as Float32Array, counting as Float32Array)).toBeGreaterThan(0.8);
		expect(Math.abs(dot(count as Float32Array, weather as Float32Array))).toBeLessThan(0.1);
	});
});
