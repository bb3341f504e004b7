import fc from "fast-check";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Memory } from "../../src/memory/memory.js";
import { SemanticCache } from "../../src/memory/semantic-cache.js";
import type { SemanticCacheOptions } from "../../src/memory/semantic-cache-options.js";
import { FakeClock } from "./fake-clock.js";

/** A vector for each letter from a to d: texts of the same letters, in any order, are alike. */
const letters = (more: Partial<Embedder> = {}): Embedder => ({
	id: "letters-v1",
	embed: async (texts) => texts.map((text) => [..."abcd"].map((letter) => text.split(letter).length - 1)),
	...more,
});

const cacheWith = (options: SemanticCacheOptions = {}): SemanticCache => new SemanticCache({ embedder: letters(), ...options });

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
	return Promise.withResolvers<T>();
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function warningsOf(use: () => Promise<void>): Promise<string[]> {
	const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
	try {
		await use();
		return warn.mock.calls.map(([warning]) => String(warning));
	} finally {
		warn.mockRestore();
	}
}

describe("SemanticCache", () => {
	it("finds the answer to a similar question, with the question and how similar it is", async () => {
		const cache = cacheWith();
		await cache.set("aab", { n: 1 });
		expect(await cache.get("aab")).toEqual({ value: { n: 1 }, score: 1, query: "aab" });
		expect(await cache.get("baa")).toEqual({ value: { n: 1 }, score: expect.closeTo(1), query: "aab" });
		expect(await cache.get("abb")).toBeUndefined();
		expect([cache.size, cache.delete("baa"), cache.delete("aab"), cache.size]).toEqual([1, false, true, 0]);
		expect(await cache.get("aab")).toBeUndefined();
	});

	it("takes options and nothing else: what it shares with a memory is nobody's to hand in", () => {
		expectTypeOf<ConstructorParameters<typeof SemanticCache>>().toEqualTypeOf<[options?: SemanticCacheOptions | undefined]>();
	});

	it("finds a question by default only in its own words", async () => {
		const cache = new SemanticCache();
		await cache.set("Which flights leave before 10?", "two");
		expect((await cache.get("hello, which flights leave before 10 please"))?.value).toBe("two");
		expect(await cache.get("Which flights leave after 10?")).toBeUndefined();
		await cache.set("Who are you?", "bob"); // stop words alone: no vector
		expect((await cache.get("Who are you?"))?.value).toBe("bob");
	});

	it("takes the most similar of those that are similar enough, as the threshold says", async () => {
		const cache = cacheWith({ threshold: 0.8 });
		await cache.set("aab", "near");
		await cache.set("aabb", "nearer");
		expect((await cache.get("ab"))?.value).toBe("nearer");
		expect((await cache.get("aaaab"))?.value).toBe("near");
		expect(await cache.get("a")).toMatchObject({ value: "near", score: expect.closeTo(0.894, 3) });
		expect(await cache.get("c")).toBeUndefined();
		expect(await cacheWith({ threshold: 0.9 }).get("a")).toBeUndefined();
	});

	it("asks the embedder whether what is alike says the same", async () => {
		const cache = cacheWith({ embedder: letters({ saysSame: (one, other) => one[0] === other[0] }) });
		await cache.set("ab", 1);
		expect([await cache.get("ba"), (await cache.get("aabb"))?.value]).toEqual([undefined, 1]);
	});

	it("keeps frozen copies of plain data, null included, and refuses the rest", async () => {
		const cache = cacheWith();
		const value = { list: [1] };
		await cache.set("a", value);
		value.list.push(2);
		const hit = await cache.get<{ list: number[] }>("a");
		expect(hit?.value).toEqual({ list: [1] });
		expect(() => hit?.value.list.push(3)).toThrow(TypeError);
		await cache.set("b", null);
		expect(await cache.get("b")).toMatchObject({ value: null });
		for (const junk of [undefined, () => 1, new Map(), Number.NaN, 1n]) {
			await expect(cache.set("c", junk)).rejects.toThrow(/^cache\.set\(\): value is .*plain data/);
			await expect(cache.fetch("c", () => junk)).rejects.toThrow(/^cache\.fetch\(\): value is/);
		}
		expect(cache.size).toBe(2);
	});

	it.each(["a", "aa"])("lets the answer go that was not asked for longest, and asking %j is asking", async (again) => {
		const cache = cacheWith({ maxEntries: 2 });
		await cache.set("a", 1);
		await cache.set("b", 2);
		await cache.get(again);
		await cache.set("c", 3);
		expect([(await cache.get("a"))?.value, await cache.get("b"), (await cache.get("c"))?.value, cache.size]).toEqual([1, undefined, 3, 2]);
		await cache.set("a", 4);
		expect([(await cache.get("a"))?.value, cache.size]).toEqual([4, 2]);
	});

	it("forgets an answer when its time is up, by the memory's clock", async () => {
		const clock = new FakeClock();
		const { cache } = new Memory({ clock, cache: { embedder: letters(), ttlMs: 1_000 } });
		await cache.set("a", 1);
		clock.advance(999);
		expect([(await cache.get("aa"))?.value, cache.size]).toEqual([1, 1]);
		await cache.set("b", 2);
		clock.advance(1);
		expect([await cache.get("a"), await cache.get("aa"), (await cache.get("b"))?.value, cache.size]).toEqual([undefined, undefined, 2, 1]);
		expect([cache.delete("a"), clock.pending]).toEqual([false, 0]);
	});

	it("compares no vectors of different embedders", async () => {
		const embedder = { ...letters() };
		const cache = cacheWith({ embedder });
		await cache.set("aab", 1);
		embedder.id = "letters-v2";
		expect([await cache.get("baa"), (await cache.get("aab"))?.value]).toEqual([undefined, 1]);
	});

	it("takes any text for a question", async () => {
		const cache = cacheWith();
		const odd = ["", "__proto__", "constructor", "\0", "🙂", "x".repeat(1_000_000)];
		for (const [index, query] of odd.entries()) await cache.set(query, index);
		for (const [index, query] of odd.entries()) expect((await cache.get(query))?.value).toBe(index);
	});

	it.each([undefined, null, 5, {}, ["a"]])("refuses %j as a question", async (query) => {
		const cache = cacheWith();
		const problem = /a question must be text/;
		await expect(cache.get(query as never)).rejects.toThrow(problem);
		await expect(cache.set(query as never, 1)).rejects.toThrow(problem);
		await expect(cache.fetch(query as never, () => 1)).rejects.toThrow(problem);
		expect(() => cache.delete(query as never)).toThrow(ConfigurationError);
	});

	it.each<[object, RegExp]>([
		[{ treshold: 0.9 }, /knows no option "treshold". Did you mean "threshold"\?/],
		[{ threshold: 0 }, /threshold must be a number above 0 and at most 1, got 0/],
		[{ threshold: Number.NaN }, /threshold must/],
		[{ threshold: "0.9" }, /threshold must/],
		[{ maxEntries: 0 }, /maxEntries must be a whole number of 1 or more, got 0/],
		[{ maxEntries: 1.5 }, /maxEntries must/],
		[{ ttlMs: 0 }, /ttlMs must be a number of milliseconds above 0, got 0/],
		[{ embedder: {} }, /embedder must have an id and an embed function/],
		[{ embedder: null }, /embedder must have/],
	])("refuses the options %j, also as those of a memory", (options, problem) => {
		expect(() => new SemanticCache(options)).toThrow(problem);
		expect(() => new Memory({ cache: options })).toThrow(problem);
	});

	it("refuses options of a lookup that are none, and a computation that is none", async () => {
		const cache = cacheWith();
		await expect(cache.get("a", { timeoutMs: 1 } as never)).rejects.toThrow('knows no option "timeoutMs"');
		await expect(cache.fetch("a", "b" as never)).rejects.toThrow("takes a function that computes the answer");
	});
});

describe("SemanticCache whose embedder fails", () => {
	it.each<[string, Partial<Embedder>]>([
		["throws", { embed: () => { throw new Error("no model"); } }], // biome-ignore format: one line
		["rejects", { embed: () => Promise.reject(new Error("no model")) }],
		["gives nothing", { embed: async () => undefined as never }],
		["gives two vectors", { embed: async () => [[1], [1]] }],
		["gives no numbers", { embed: async () => [["a"] as never] }],
		["gives NaN", { embed: async () => [[Number.NaN]] }],
		["gives an empty vector", { embed: async () => [[]] }],
	])("finds nothing similar, says so once, and still finds the very same: it %s", async (_, broken) => {
		const cache = cacheWith({ embedder: letters(broken) });
		const warnings = await warningsOf(async () => {
			await cache.set("a", 1);
			expect(await cache.get("aa")).toBeUndefined();
			expect(await cache.fetch("aa", () => 2)).toBe(2);
			expect([(await cache.get("a"))?.value, (await cache.get("aa"))?.value]).toEqual([1, 2]);
		});
		expect(warnings).toEqual([
			expect.stringContaining('The embedder "letters-v1" of a semantic cache failed, and similar questions are not found'),
		]);
	});

	it("finds nothing either where it cannot say whether two are the same", async () => {
		const cache = cacheWith({ embedder: letters({ saysSame: () => { throw new Error("bug"); } }) }); // biome-ignore format: one line
		const warnings = await warningsOf(async () => {
			await cache.set("a", 1);
			expect(await cache.get("aa")).toBeUndefined();
		});
		expect(warnings).toEqual([expect.stringContaining("bug")]);
	});

	it("does not find what has a vector of another length", async () => {
		let length = 2;
		const cache = cacheWith({ embedder: letters({ embed: async () => [Array.from({ length }, (_, index) => (index === 0 ? 1 : 0))] }) });
		await cache.set("a", 1);
		length = 3;
		expect(await cache.get("b")).toBeUndefined();
	});
});

describe("SemanticCache.fetch()", () => {
	it("computes what is not there, keeps it, and gives it to similar questions", async () => {
		const cache = cacheWith();
		const compute = vi.fn(async () => ({ at: new Date(0) }));
		const answer = await cache.fetch("ab", compute);
		expectTypeOf(answer).toEqualTypeOf<{ readonly at: string }>();
		expect(answer).toEqual({ at: "1970-01-01T00:00:00.000Z" });
		expect([await cache.fetch("ba", compute), await cache.fetch("ab", compute)]).toEqual([answer, answer]);
		expect([compute.mock.calls.length, cache.size]).toEqual([1, 1]);
	});

	it("computes once for those who ask the same at once, and tells all of a failure, which it does not keep", async () => {
		const cache = cacheWith();
		const first = deferred<number>();
		const compute = vi.fn(() => first.promise);
		const both = [cache.fetch("a", compute), cache.fetch("a", compute)];
		await settle();
		const other = cache.fetch("b", () => 7);
		first.reject(new Error("offline"));
		expect(await Promise.allSettled(both)).toMatchObject(Array(2).fill({ status: "rejected", reason: { message: "offline" } }));
		expect([await other, compute.mock.calls.length, cache.size]).toEqual([7, 1, 1]);
		expect(await cache.fetch("a", () => 5)).toBe(5);
		await expect(cache.fetch("d", () => { throw new Error("at once"); })).rejects.toThrow("at once"); // biome-ignore format: one line
		expect(await cache.fetch("d", () => 6)).toBe(6);
	});

	it.each<[string, (cache: SemanticCache) => unknown, unknown]>([
		["forgets all", (cache) => cache.clear(), undefined],
		["forgets the question", (cache) => cache.delete("a"), undefined],
		["sets another answer", (cache) => cache.set("a", "set"), "set"],
	])("does not keep what was computed when somebody %s meanwhile", async (_, meanwhile, kept) => {
		const cache = cacheWith();
		const computed = deferred<string>();
		const asked = cache.fetch("a", () => computed.promise);
		await settle();
		await meanwhile(cache);
		computed.resolve("computed");
		expect([await asked, (await cache.get("a"))?.value]).toEqual(["computed", kept]);
	});

	it("ends the wait of the one who aborts, and the computation once nobody waits", async () => {
		const cache = cacheWith();
		const [one, two] = [new AbortController(), new AbortController()];
		let told: AbortSignal | undefined;
		const compute = (signal: AbortSignal): Promise<never> => {
			told = signal;
			return new Promise(() => {});
		};
		const asked = [one, two].map(({ signal }) => cache.fetch("a", compute, { signal }));
		await settle();
		one.abort("enough");
		await expect(asked[0]).rejects.toBe("enough");
		expect(told?.aborted).toBe(false);
		two.abort("me too");
		await expect(asked[1]).rejects.toBe("me too");
		expect(told?.reason).toBe("me too");
		expect(await cache.fetch("a", () => "anew")).toBe("anew");
		await expect(cache.fetch("a", compute, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
	});

	it("does not begin to compute for nobody, and ends a lookup whose embedder is deaf", async () => {
		const slow = deferred<number[][]>();
		const cache = cacheWith({ embedder: letters({ embed: () => slow.promise }) });
		const controller = new AbortController();
		const compute = vi.fn(() => 1);
		const asked = [cache.get("a", { signal: controller.signal }), cache.fetch("b", compute, { signal: controller.signal })];
		controller.abort("enough");
		for (const one of asked) await expect(one).rejects.toBe("enough");
		slow.resolve([[1]]);
		await settle();
		expect([compute.mock.calls.length, cache.size]).toEqual([0, 0]);
	});

	it("takes an embedder that heeds the signal for no failure", async () => {
		const embed: Embedder["embed"] = (_, { signal } = {}) =>
			new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("stopped"))));
		const controller = new AbortController();
		const warnings = await warningsOf(async () => {
			const asked = cacheWith({ embedder: letters({ embed }) }).get("a", { signal: controller.signal });
			controller.abort("enough");
			await expect(asked).rejects.toBe("enough");
			await settle();
		});
		expect(warnings).toEqual([]);
	});

	it("never has more than its most entries, and never answers but what was given for that question, whatever is asked at once", async () => {
		const query = fc.constantFrom("a", "b", "c", "d");
		const step = fc.record({ kind: fc.constantFrom("get", "delete", "set", "fetch"), query, fails: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), async (steps, maxEntries) => {
				const cache = cacheWith({ maxEntries });
				const outcomes = steps.map(async (one) => {
					if (one.kind === "delete") return void cache.delete(one.query);
					if (one.kind === "set") return cache.set(one.query, one.query);
					if (one.kind === "get") return void expect([undefined, one.query]).toContain((await cache.get(one.query))?.value);
					const asked = cache.fetch(one.query, async () => { if (one.fails) throw new Error("no"); return one.query; }); // biome-ignore format: one line
					expect([one.query, "failed"]).toContain(await asked.catch(() => "failed"));
				});
				await Promise.all(outcomes);
				expect(cache.size).toBeLessThanOrEqual(maxEntries);
			}),
		);
	});
});

describe("memory.cache", () => {
	it("is one for all handles of a memory, and an empty one with the same options in a clone", async () => {
		const memory = new Memory({ cache: { embedder: letters(), maxEntries: 1 } });
		await memory.as("bob").cache.set("ab", 1);
		expect([memory.cache, (await memory.cache.get("ba"))?.value]).toEqual([memory.as("ann").cache, 1]);
		const clone = memory.clone();
		expect(await clone.cache.get("ab")).toBeUndefined();
		await clone.cache.set("a", 1);
		await clone.cache.set("b", 1);
		expect([clone.cache.size, memory.cache.size]).toEqual([1, 1]);
	});

	it("is in no JSON, and neither cleared nor reset with the memory", async () => {
		const memory = new Memory();
		await memory.cache.set("question", "answer");
		memory.clear();
		memory.reset();
		expect(JSON.stringify(memory)).toBe(JSON.stringify(new Memory()));
		expect(memory.cache.size).toBe(1);
	});

	it("is what the key cache leads to", () => {
		expect(() => new Memory().get("cache")).toThrow('memory.get(): "cache" is reserved, and no value. Use memory.cache, or another key.');
	});
});
