import { describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { deferred } from "../../src/process/deferred.js";
import { bareSkills, skillsOf, tableEmbedder } from "./skills-of.js";

const AB = { a: "first", b: "second", c: "third" };
const ab = { "a. first": [1, 0], "b. second": [0, 1], "c. third": [1, 1], "to a": [2, 0], even: [3, 3], near: [0.5, Math.sqrt(0.75)] };

const shown = (matches: readonly { readonly skill: { readonly name: string }; readonly tier: string }[]): string =>
	matches.map(({ skill, tier }) => (tier === "active" ? skill.name.toUpperCase() : skill.name)).join(" ");

describe("SkillMatcher.match()", () => {
	it("sorts by score and answers equal scores by name", async () => {
		const skills = await skillsOf({ c: "third", b: "second", a: "first" });
		const matches = await new SkillMatcher({ skills, embedder: tableEmbedder(ab) }).match("even");
		expect(matches.map(({ skill }) => skill.name)).toEqual(["c", "a", "b"]);
		expect(matches.map(({ score }) => score.toFixed(2))).toEqual(["1.00", "0.71", "0.71"]);
	});

	it("activates by a threshold, inclusive, at most topK, and offers at most so many candidates of the rest", async () => {
		const skills = await skillsOf(AB);
		const tiers = async (options: object, message = "near"): Promise<string> =>
			shown(await new SkillMatcher({ skills, embedder: tableEmbedder(ab), ...options }).match(message));
		expect(await tiers({})).toBe("c b a");
		expect(await tiers({ threshold: 0.5 })).toBe("C B A");
		expect(await tiers({ threshold: 0.500001 })).toBe("C B a");
		expect(await tiers({ threshold: 0.5, topK: 1 })).toBe("C b a");
		expect(await tiers({ threshold: 0.5, topK: 1, candidates: 1 })).toBe("C b");
		expect(await tiers({ threshold: 0.5, topK: 1, candidates: 0 })).toBe("C");
		expect(await tiers({ embedder: tableEmbedder(ab, { threshold: 0.9 }) })).toBe("C b a");
		expect(await tiers({}, "to a")).toBe("a c");
		const matches = await new SkillMatcher({ skills, embedder: tableEmbedder(ab), threshold: 0.6, topK: 1 }).match("near");
		expect(matches.map(({ isBeyondTopK }) => isBeyondTopK)).toEqual([undefined, true, undefined]);
	});

	it("sees the best other skill also where one alone may be active and none is offered", async () => {
		const [skills, calibration] = [await skillsOf(AB), { bias: -1, score: 2, margin: 10, activate: 0 }];
		const options = { skills, embedder: tableEmbedder(ab, { calibration }), topK: 1 };
		const [alone] = await new SkillMatcher({ ...options, candidates: 0 }).match("to a");
		expect(alone).toEqual((await new SkillMatcher(options).match("to a"))[0]);
	});

	it("goes by the confidence, which sees the lead over the best other skill, where the embedder has a calibration", async () => {
		const skills = await skillsOf(AB);
		const calibration = { bias: -1, score: 2, margin: 10, activate: 0.9, offer: 0.05 };
		const matcher = (rest: object, options = {}): SkillMatcher =>
			new SkillMatcher({ skills, embedder: tableEmbedder(ab, { calibration: { ...calibration, ...rest }, threshold: 0 }), ...options });
		const [sure, unsure] = await matcher({}).match("to a");
		expect(sure?.confidence).toBeCloseTo(1 / (1 + Math.exp(-(-1 + 2 + 10 * (1 - Math.SQRT1_2)))), 6);
		expect(unsure?.confidence).toBeCloseTo(1 / (1 + Math.exp(-(-1 + 2 * Math.SQRT1_2 - 10 * (1 - Math.SQRT1_2)))), 6);
		expect(shown(await matcher({}).match("to a"))).toBe("A c");
		expect(shown(await matcher({ offer: 0.5 }).match("to a"))).toBe("A");
		expect(shown(await matcher({ activate: 0.99 }).match("to a"))).toBe("a c");
		expect(shown(await matcher({ activate: undefined }).match("to a"))).toBe("a c");
		expect(shown(await matcher({}, { threshold: 0.7 }).match("to a"))).toBe("A C");
	});

	it("activates nobody of two skills that say the same, and takes one that is given twice for one", async () => {
		const calibration = { bias: -1, score: 1, margin: 10, activate: 0.6, offer: 0 };
		const [a, twin] = [...(await skillsOf({ a: "first" })), ...(await skillsOf({ a: "first" }))];
		const tiers = async (skills: object): Promise<string> =>
			shown(await new SkillMatcher({ skills: skills as never, embedder: tableEmbedder(ab, { calibration }) }).match("to a"));
		expect(await tiers([a, twin])).toBe("a a");
		expect(await tiers([a, a])).toBe("A");
	});

	it("matches nothing that has nothing in common, whatever the threshold", async () => {
		const skills = await skillsOf(AB);
		expect(await new SkillMatcher({ skills, embedder: tableEmbedder(ab), threshold: -1 }).match("unheard of")).toEqual([]);
		expect(await new SkillMatcher({ skills: [] }).match("first")).toEqual([]);
	});

	it("lets example messages decide half of the score, the best of them", async () => {
		const lines = { frontMatter: "description: first\nmetadata:\n  examples: |\n    - far\n    near\n" };
		const list = { frontMatter: "description: first\nmetadata:\n  examples: [near, far, 7, {}]\n" };
		const none = { frontMatter: "description: first\nmetadata:\n  examples: {a: near}\n" };
		const table = { "a. first": [1, 0], near: [1, 1], far: [0, -1], q: [0, 1] };
		for (const [given, score] of [
			[lines, Math.SQRT1_2 / 2],
			[list, Math.SQRT1_2 / 2],
			[none, 0],
		] as const) {
			const [match] = await new SkillMatcher({ skills: await skillsOf({ a: given }), embedder: tableEmbedder(table) }).match("q");
			expect(match?.score ?? 0).toBeCloseTo(score, 6);
		}
	});

	it.each(["", " \n", "🙂🙂", "\0", "日本語", "of the and", "word ".repeat(200_000), "x".repeat(1_000_000)])(
		"answers the odd message %#, and finds what is there",
		async (message) => {
			const matcher = new SkillMatcher({ skills: await skillsOf({ logs: "Summarise log files", 日志: "读取日志文件", none: "🙂" }) });
			expect(await matcher.match(message)).toEqual([]);
			expect(shown(await matcher.match(`${message} log files`)).toLowerCase()).toContain("logs");
			expect(shown(await matcher.match(`${message.slice(0, 10)} 请帮我读取日志`))).toContain("日志");
		},
	);

	it.each([
		{ topK: 0 },
		{ topK: 1.5 },
		{ topK: "3" },
		{ candidates: -1 },
		{ threshold: Number.NaN },
		{ threshold: "high" },
		{ timeoutMs: 0 },
		{ skills: "all" },
		{ skills: ["a"] },
		{ skills: new Array(2) },
		{ embedder: {} },
		{ embedder: "@robot-lab/embeddings-en" },
		{ embedder: tableEmbedder({}, { threshold: "0" as never }) },
		{ embedder: tableEmbedder({}, { saysSame: 3 as never }) },
		...[
			null,
			"high",
			{ bias: 1, score: 1 },
			{ bias: Number.NaN, score: 1, margin: 1 },
			{ bias: 0, score: 1, margin: 1, activate: "0.5" },
			{ bias: 0, score: 1, margin: 1, of: 1 },
		].map((calibration) => ({ embedder: tableEmbedder({}, { calibration: calibration as never }) })),
		{ fallback: {} },
		{ fallback: null },
		{ cache: "vectors" },
		{ cache: {} },
		{ limit: 3 },
	])("refuses %j", (options) => {
		expect(() => new SkillMatcher({ skills: [], ...(options as object) })).toThrow(ConfigurationError);
	});

	it("says how an embedder is had by the name of its package", () => {
		expect(() => new SkillMatcher({ skills: [], embedder: "@robot-lab/embeddings-en" as never })).toThrow("loadEmbedder()");
	});

	it("refuses what is no message, options it does not know, and ends with its signal", async () => {
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder: tableEmbedder(ab, { embed: () => new Promise(() => {}) }) });
		await expect(matcher.match(7 as never)).rejects.toThrow("takes a message of text, got 7");
		await expect(matcher.match("a", { limit: 1 } as never)).rejects.toThrow('no option "limit"');
		await expect(matcher.match("a", { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
		const controller = new AbortController();
		const asked = matcher.match("a", { signal: controller.signal });
		controller.abort("later");
		await expect(asked).rejects.toBe("later");
	});
});

describe("SkillMatcher whose skills change", () => {
	it("embeds each text once, in batches of at most 256, one after the other, whoever asks meanwhile", async () => {
		const sizes: number[] = [];
		let [running, most] = [0, 0];
		const embedder: Embedder = {
			id: "counts",
			embed: async (texts) => {
				sizes.push(texts.length);
				most = Math.max(most, ++running);
				await new Promise(setImmediate);
				running -= 1;
				return texts.map((text) => [1, text.length]);
			},
		};
		const skills = [...bareSkills(600), ...bareSkills(300)];
		const matcher = new SkillMatcher({ skills, embedder, fallback: false });
		await Promise.all([matcher.match("x"), matcher.match("x"), matcher.match("y")]);
		expect(sizes.sort((one, other) => other - one)).toEqual([256, 256, 88, 1, 1]);
		expect(most).toBeLessThanOrEqual(3);
	});

	it("embeds one text when one skill changes", async () => {
		const embedder = tableEmbedder(ab);
		const first = new SkillMatcher({ skills: await skillsOf(AB), embedder, threshold: 0.9, topK: 1 });
		await first.match("to a");
		embedder.texts.length = 0;
		const second = first.withSkills(await skillsOf({ ...AB, b: "other" }));
		const third = second.withSkills(await skillsOf({ ...AB, b: "other" }));
		expect(shown(await third.match("to a"))).toBe("A c");
		expect(embedder.texts).toEqual(["b. other"]);
		expect(shown(await second.match("to a"))).toBe("A c");
		expect(shown(await first.match("to a"))).toBe("A c");
	});
});

describe("SkillMatcher whose embedder cannot answer", () => {
	const skillTexts = ["a. first", "b. second", "c. third"];
	const fallback = tableEmbedder(ab, { id: "other", threshold: 0.9 });

	it.each<[string, Partial<Embedder>, string]>([
		["throws", { embed: () => { throw new Error("no model\nat all"); } }, "no model"], // biome-ignore format: one line
		["rejects", { embed: () => Promise.reject(new Error("no model")) }, "no model"],
		["gives NaN", { embed: async (texts) => texts.map(() => [Number.NaN]) }, 'the embedder "table" gave no vector of numbers for a text'],
		["gives too few", { embed: async () => [] }, 'the embedder "table" gave no'],
		[
			"gives other lengths for messages",
			{ embed: async (texts) => texts.map((text) => (skillTexts.includes(text) ? [1, 0] : [1])) },
			"a vector has 1 numbers",
		],
		["gives several lengths", { embed: async (texts) => texts.map((_, index) => Array(index + 1).fill(1)) }, "different lengths"],
	])("lets the fallback answer, and says so: it %s", async (_, broken, problem) => {
		const skills = await skillsOf(AB);
		const matcher = new SkillMatcher({ skills, embedder: tableEmbedder(ab, broken), fallback });
		const { matches, ...said } = await matcher.matchWithReasons("to a");
		expect(shown(matches)).toBe("A c");
		expect(said).toMatchObject({
			embedder: "other",
			fallback: { embedder: "table", reason: "failed", message: expect.stringMatching(new RegExp(`^table failed: .*${problem}`)) },
		});
		expect(said.fallback?.message).not.toContain("\n");
		await expect(new SkillMatcher({ skills, embedder: tableEmbedder(ab, broken), fallback: false }).match("to a")).rejects.toThrow(problem);
	});

	it("asks the embedder again for the next message, of the skills' texts only for those that are missing", async () => {
		let isDown = false;
		const table = tableEmbedder({});
		const embedder: Embedder = { ...table, embed: async (texts) => {
			if (isDown || texts.length === 88) throw new Error("down");
			return (await table.embed(texts)).map(() => [1, 1]);
		} }; // biome-ignore format: one line
		const matcher = new SkillMatcher({ skills: bareSkills(600), embedder, fallback });
		expect((await matcher.matchWithReasons("x")).fallback?.reason).toBe("failed");
		isDown = true;
		expect((await matcher.matchWithReasons("y")).fallback?.reason).toBe("failed");
		isDown = false;
		expect(table.texts.filter((text) => text.startsWith("s")).length).toBe(512);
	});

	it("does not lose what comes too late", async () => {
		const late = deferred<readonly number[][]>();
		const table = tableEmbedder(ab);
		let asked = 0;
		const embedder: Embedder = {
			...table,
			embed: (texts) => {
				if (texts[0] !== "to a") return table.embed(texts);
				asked += 1;
				return late.promise;
			},
		};
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder, fallback, timeoutMs: 20 });
		await matcher.match("near");
		expect((await matcher.matchWithReasons("to a")).fallback).toEqual({
			embedder: "table",
			reason: "slow",
			message: "table took longer than 20 ms",
		});
		late.resolve([[1, 0]]);
		expect(await matcher.matchWithReasons("to a")).not.toHaveProperty("fallback");
		expect(asked).toBe(1);
	});

	it("lets nobody but the first message wait for the skills' vectors, and uses them once they are there", async () => {
		const ready = deferred<void>();
		const table = tableEmbedder(ab);
		const asked: string[] = [];
		const embedder: Embedder = { ...table, embed: async (texts) => {
			asked.push(...texts);
			if (texts.length > 1) await ready.promise;
			return table.embed(texts);
		} }; // biome-ignore format: one line
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder, fallback, timeoutMs: 20 });
		expect((await matcher.matchWithReasons("to a")).fallback?.reason).toBe("preparing");
		expect((await matcher.matchWithReasons("even")).fallback?.reason).toBe("preparing");
		expect(asked).not.toContain("even");
		ready.resolve();
		await new Promise(setImmediate);
		expect((await matcher.matchWithReasons("even")).embedder).toBe("table");
	});

	it("tells the embedder when nobody waits for a message any more", async () => {
		let told: AbortSignal | undefined;
		const table = tableEmbedder(ab);
		const embedder: Embedder = { ...table, embed: (texts, options) => {
			if (texts[0] !== "to a") return table.embed(texts);
			told = options?.signal;
			return new Promise(() => {});
		} }; // biome-ignore format: one line
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder });
		await matcher.match("near");
		const controller = new AbortController();
		const asked = matcher.match("to a", { signal: controller.signal });
		await new Promise(setImmediate);
		controller.abort("enough");
		await expect(asked).rejects.toBe("enough");
		expect(told?.reason).toBe("enough");
	});

	it("keeps the vectors of the last hundred messages, and no more", async () => {
		const embedder = tableEmbedder(ab);
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder });
		const ask = async (message: string): Promise<boolean> => {
			embedder.texts.length = 0;
			await matcher.match(message);
			return embedder.texts.includes(message);
		};
		for (let index = 0; index <= 100; index += 1) await ask(`message ${index}`);
		expect(await ask("message 1")).toBe(false);
		expect(await ask("message 0")).toBe(true);
		expect(await ask("message 1")).toBe(false);
		expect(await ask("message 2")).toBe(true);
	});

	it("gives others their turn between two batches, also where the embedder never waits", async () => {
		const seen: number[] = [];
		let made = 0;
		const embedder: Embedder = { id: "busy", embed: async (texts) => {
			made += texts.length;
			return texts.map(() => [1]);
		} }; // biome-ignore format: one line
		const matching = new SkillMatcher({ skills: bareSkills(600), embedder, fallback: false }).match("x");
		for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(() => resolve(void seen.push(made))));
		await matching;
		expect(seen[0]).toBeLessThan(600);
		expect(made).toBe(601);
	});

	it("stops making vectors when it is told to, with a signal for the embedder, and goes on with the next message", async () => {
		const begun = deferred<AbortSignal | undefined>();
		const made: string[] = [];
		let isHeld = true;
		const embedder: Embedder = { id: "slow", embed: async (texts, options) => {
			if (isHeld && texts.includes("s300. does 300")) {
				begun.resolve(options?.signal);
				await new Promise((_, reject) => options?.signal?.addEventListener("abort", () => reject(options.signal?.reason)));
			}
			made.push(...texts);
			return texts.map((text) => [1, text.length]);
		} }; // biome-ignore format: one line
		const matcher = new SkillMatcher({ skills: bareSkills(600), embedder, fallback, timeoutMs: 1 });
		await matcher.matchWithReasons("x");
		const signal = await begun.promise;
		matcher.stop();
		expect(signal?.aborted).toBe(true);
		isHeld = false;
		await expect.poll(async () => (await matcher.matchWithReasons("y")).embedder).toBe("slow");
		expect(made.filter((text) => text.startsWith("s")).length).toBe(600);
		matcher.stop();
		expect((await matcher.matchWithReasons("y")).embedder).toBe("slow");
	});

	it("makes all vectors anew, once, where those it has are of another length", async () => {
		let length = 2;
		let calls = 0;
		const embedder: Embedder = { id: "grows", embed: async (texts) => {
			if (texts.length > 1) calls += 1;
			return texts.map(() => Array(length).fill(1));
		} }; // biome-ignore format: one line
		const matcher = new SkillMatcher({ skills: await skillsOf(AB), embedder, fallback });
		await matcher.match("x");
		length = 3;
		expect(await matcher.matchWithReasons("y")).not.toHaveProperty("fallback");
		length = 4;
		for (const message of ["u", "v"]) expect((await matcher.matchWithReasons(message)).fallback?.reason).toBe("failed");
		expect(calls).toBe(2);
	});
});
