import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.js";
import { lexicalEmbedder } from "../../src/embedding/lexical-embedder.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";

async function skillsOf(skills: Readonly<Record<string, string>>): Promise<AgentSkill[]> {
	return Promise.all(
		Object.entries(skills).map(async ([name, description]) => {
			await using bundle = await temporarySkill({ "SKILL.md": `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n` });
			return AgentSkill.load(bundle.skillMdPath);
		}),
	);
}

/** Looks every text up; what it does not know is a vector of zeros. */
const tableEmbedder = (
	table: Readonly<Record<string, readonly number[]>>,
	rest: Partial<Embedder> = {},
): Embedder & { texts: string[] } => {
	const texts: string[] = [];
	return {
		id: "table",
		texts,
		embed: async (asked) => {
			texts.push(...asked);
			return asked.map((text) => table[text] ?? [0, 0]);
		},
		...rest,
	};
};

const AB = { a: "first", b: "second", c: "third" };
const ab = { "a. first": [1, 0], "b. second": [0, 1], "c. third": [1, 1], "to a": [2, 0], even: [3, 3], near: [0.5, Math.sqrt(0.75)] };

describe("SkillMatcher.match()", () => {
	it("sorts by score and answers equal scores by name", async () => {
		const skills = await skillsOf({ c: "third", b: "second", a: "first" });
		const matcher = new SkillMatcher({ skills, embedder: tableEmbedder(ab) });
		const matches = await matcher.match("even");
		expect(matches.map(({ skill }) => skill.name)).toEqual(["c", "a", "b"]);
		expect(matches.map(({ score }) => score.toFixed(2))).toEqual(["1.00", "0.71", "0.71"]);
	});

	it("keeps scores from the threshold on, inclusive, and topK of them", async () => {
		const skills = await skillsOf(AB);
		const names = async (options: object, message = "near") =>
			(await new SkillMatcher({ skills, embedder: tableEmbedder(ab), ...options }).match(message)).map(({ skill }) => skill.name);
		expect(await names({ threshold: 0.5 })).toEqual(["c", "b", "a"]);
		expect(await names({ threshold: 0.500001 })).toEqual(["c", "b"]);
		expect(await names({ topK: 1 })).toEqual(["c"]);
		expect(await names({ threshold: 0.99 })).toEqual([]);
		expect(await names({ embedder: tableEmbedder(ab, { threshold: 0.95 }) })).toEqual(["c"]);
		expect(await names({}, "to a")).toEqual(["a", "c"]);
	});

	it("matches nothing that has nothing in common, whatever the threshold", async () => {
		const skills = await skillsOf(AB);
		expect(await new SkillMatcher({ skills, embedder: tableEmbedder(ab), threshold: -1 }).match("unheard of")).toEqual([]);
		expect(await new SkillMatcher({ skills: [] }).match("first")).toEqual([]);
	});

	it("takes the score for the confidence without a calibration, and the margin into account with one", async () => {
		const skills = await skillsOf(AB);
		const [plain] = await new SkillMatcher({ skills, embedder: tableEmbedder(ab) }).match("to a");
		expect(plain).toMatchObject({ score: 1, confidence: 1 });
		const calibration = { bias: -1, score: 2, margin: 10 };
		const [sure, unsure] = await new SkillMatcher({ skills, embedder: tableEmbedder(ab, { calibration }) }).match("to a");
		expect(sure?.confidence).toBeCloseTo(1 / (1 + Math.exp(-(-1 + 2 + 10 * (1 - Math.SQRT1_2)))), 6);
		expect(unsure?.confidence).toBeCloseTo(1 / (1 + Math.exp(-(-1 + 2 * Math.SQRT1_2 - 10 * (1 - Math.SQRT1_2)))), 6);
	});

	it("embeds the skills once, and again after the embedder failed", async () => {
		const skills = await skillsOf({ a: "first" });
		const embedder = tableEmbedder(ab);
		const matcher = new SkillMatcher({ skills, embedder });
		await Promise.all([matcher.match("to a"), matcher.match("even")]);
		await matcher.match("near");
		expect(embedder.texts.filter((text) => text === "a. first").length).toBe(1);

		let calls = 0;
		const flaky: Embedder = {
			...embedder,
			embed: async (texts) => (++calls <= 2 ? Promise.reject(new Error("offline")) : texts.map(() => [1])),
		};
		const retried = new SkillMatcher({ skills, embedder: flaky });
		await expect(retried.match("x")).rejects.toThrow("offline");
		expect((await retried.match("x")).length).toBe(1);
	});

	it("says so when an embedder gives another number of vectors than texts", async () => {
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder: { id: "short", embed: async () => [[1]] } });
		await expect(matcher.match("x")).rejects.toThrow('"short" gave 1 vectors for 3 texts');
	});

	it.each([{ topK: 0 }, { topK: 1.5 }, { topK: "3" }, { threshold: Number.NaN }, { threshold: "high" }])("refuses %j", (options) => {
		expect(() => new SkillMatcher({ skills: [], ...(options as object) })).toSatisfy((make: () => unknown) => {
			try {
				make();
				return false;
			} catch (error) {
				return ConfigurationError.isInstance(error);
			}
		});
	});
});

describe("lexicalEmbedder()", () => {
	// Written beside the embedder and used to choose its threshold: it guards what works, it does not measure how well.
	it("finds the skill of each plain request and mostly none for small talk", async () => {
		const set = JSON.parse(await readFile(new URL("matcher-messages.json", import.meta.url), "utf8"));
		const matcher = new SkillMatcher({ skills: await skillsOf(set.skills) });
		const wrong: string[] = [];
		let smallTalk = 0;
		for (const [message, wanted] of set.messages as [string, string | null][]) {
			const top = (await matcher.match(message))[0]?.skill.name ?? null;
			if (wanted === null && top !== null) smallTalk++;
			if (wanted !== null && top !== wanted) wrong.push(`${message} -> ${top}`);
		}
		expect(wrong).toEqual([]);
		expect(smallTalk).toBeLessThanOrEqual(2);
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
