import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.js";
import { EmbeddingCache } from "../../src/matching/embedding-cache.js";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { bareSkills } from "./skills-of.js";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "embedding-cache-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("EmbeddingCache", () => {
	it.each([{}, { directory: "" }, { directory: 7 }, { directory: "/tmp/x", maxBytes: 0 }, { directory: "/tmp/x", maxMb: 1 }])(
		"refuses %j",
		(options) => expect(() => new EmbeddingCache(options as never)).toThrow("new EmbeddingCache()"),
	);
});

describe("SkillMatcher with an EmbeddingCache", () => {
	const counting = (asked: string[], length = 3): Embedder => ({
		id: "counts",
		embed: async (texts) => {
			asked.push(...texts);
			return texts.map((text) => Array.from({ length }, (_, index) => text.length + index));
		},
	});

	it("embeds no skill again that is on disk, and writes no message there", async () => {
		const cache = new EmbeddingCache({ directory });
		const asked: string[] = [];
		const first = await new SkillMatcher({ skills: bareSkills(300), embedder: counting(asked), cache }).match("hello");
		expect(asked.length).toBe(301);
		asked.length = 0;
		const again = new SkillMatcher({ skills: bareSkills(301), embedder: counting(asked), cache: new EmbeddingCache({ directory }) });
		expect((await again.match("hello")).map(({ score }) => score)).toEqual(first.map(({ score }) => score));
		expect(asked).toEqual(expect.arrayContaining(["s300. does 300", "hello"]));
		expect(asked.length).toBe(2);
	});

	it.each([2, 3])(
		"makes all anew at once, for good, where somebody put vectors of another length there for %i of three skills",
		async (planted) => {
			const skills = bareSkills(3);
			const matcher = (asked: string[], length?: number, some = skills): SkillMatcher =>
				new SkillMatcher({ skills: some, embedder: counting(asked, length), cache: new EmbeddingCache({ directory }), fallback: false });
			await matcher([], 5, skills.slice(0, planted)).match("hello");
			for (const name of await readdir(directory)) await utimes(join(directory, name), 4e9, 4e9);
			expect(await Promise.all([matcher([]).match("hello"), matcher([]).match("hello")])).toMatchObject([{ length: 3 }, { length: 3 }]);
			const asked: string[] = [];
			expect((await matcher(asked).match("hello")).length).toBe(3);
			expect(asked).toEqual(["hello"]);
		},
	);

	it("answers messages that come at once where what was kept is of another length", async () => {
		const skills = bareSkills(3);
		await new SkillMatcher({ skills, embedder: counting([], 2), cache: new EmbeddingCache({ directory }) }).match("hello");
		const asked: string[] = [];
		const matcher = new SkillMatcher({ skills, embedder: counting(asked), cache: new EmbeddingCache({ directory }), fallback: false });
		const answers = await Promise.all(["hello", "you", "there"].map((message) => matcher.match(message)));
		expect(answers.map(({ length }) => length)).toEqual([3, 3, 3]);
		expect(asked.length).toBe(6);
	});

	it("matches also where nothing can be written", async () => {
		const file = join(directory, "file");
		await writeFile(file, "");
		const matcher = new SkillMatcher({ skills: bareSkills(3), embedder: counting([]), cache: new EmbeddingCache({ directory: file }) });
		expect((await matcher.match("hello")).length).toBe(3);
	});
});
