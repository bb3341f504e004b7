import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { addLearning, LEARNINGS_KEY, learningsBlock, learningsOf } from "../../src/memory/learnings.js";
import { Memory } from "../../src/memory/memory.js";

const learn = (...texts: string[]): readonly string[] => texts.reduce(addLearning, [] as readonly string[]);

describe("addLearning()", () => {
	it("puts what was learned last, trimmed, behind the rest", () => {
		expect(learn("  use tabs\n", "answer in French")).toEqual(["use tabs", "answer in French"]);
	});

	it("ignores blank text and what is no more than there is", () => {
		const known = learn("answer in French, always");
		expect(addLearning(known, " \n\t")).toBe(known);
		expect(addLearning(known, "answer in French")).toBe(known);
		expect(addLearning(known, "answer in French, always")).toBe(known);
	});

	it("takes the place of those it says more than", () => {
		expect(learn("answer in French", "use tabs", "French", "answer in French, always")).toEqual(["use tabs", "answer in French, always"]);
	});

	it("looks at whole words, and at upper and lower case: a correction is no repetition", () => {
		expect(learn("the cat sleeps", "at", "concatenate lists", "cat")).toEqual(["the cat sleeps", "at", "concatenate lists"]);
		expect(learn("the key is userid", "the key is userId")).toHaveLength(2);
		expect(learn("naïve", "na", "日本語", "日本")).toEqual(["naïve", "na", "日本語", "日本"]);
		expect(learn("concatenate the cat", "cat")).toEqual(["concatenate the cat"]);
	});

	it("keeps the last 50, and of each 1000 characters", () => {
		const list = learn(...Array.from({ length: 60 }, (_, n) => `number ${n} is odd`));
		expect([list.length, list[0], list.at(-1)]).toEqual([50, "number 10 is odd", "number 59 is odd"]);
		expect(learn("x".repeat(1_000_000))[0]).toHaveLength(1_001);
		expect(learn("x".repeat(1_000_000), "x".repeat(1_000_000))).toHaveLength(1);
	});

	it("changes no list", () => {
		const known = Object.freeze(["a b", "c"]);
		expect(addLearning(known, "a b c")).toEqual(["a b c"]);
		expect(known).toEqual(["a b", "c"]);
	});

	it.each([undefined, null, 7, ["x"], Symbol("x")])("throws ConfigurationError for %o", (junk) => {
		expect(() => addLearning([], junk as never)).toThrow(ConfigurationError);
	});
});

describe("learningsBlock()", () => {
	it("is a headline and a dash for each, and nothing where there are none", () => {
		expect(learningsBlock(["use tabs", "answer in French"])).toBe("LEARNINGS FROM PREVIOUS RUNS:\n- use tabs\n- answer in French");
		expect(learningsBlock([])).toBe("");
	});

	it("keeps the lines of a learning below its dash", () => {
		expect(learningsBlock(["a\n- b\r\nc\u2028- d", "e"])).toBe("LEARNINGS FROM PREVIOUS RUNS:\n- a\n  - b\n  c\n  - d\n- e");
		for (const end of ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
			expect(learningsBlock([`a${end}- b`])).toBe("LEARNINGS FROM PREVIOUS RUNS:\n- a\n  - b");
		}
	});
});

describe("learningsOf()", () => {
	it("reads what a memory holds below their key, there and back", () => {
		const memory = new Memory();
		expect(learningsOf(memory.get(LEARNINGS_KEY))).toEqual([]);
		memory.set(LEARNINGS_KEY, learn("use tabs"));
		expect(learningsOf(Memory.fromJSON(JSON.stringify(memory)).get(LEARNINGS_KEY))).toEqual(["use tabs"]);
	});

	it.each([undefined, null, "text", 7, { 0: "a" }])("takes %o, which somebody may have put there, for none", (junk) => {
		expect(learningsOf(junk)).toEqual([]);
	});

	it("reads the last 50 texts, of each 1000 characters: what a tool puts there is no larger than what is learned", () => {
		const list = Array.from({ length: 5_000 }, (_, n) => `${n}${"x".repeat(2_000)}`);
		const known = learningsOf(list);
		expect([known.length, known[0]?.slice(0, 5), known.at(-1)?.slice(0, 5)]).toEqual([50, "4950x", "4999x"]);
		expect(learningsBlock(known).length).toBeLessThan(51_000);
		expect(known).toEqual(learn(...list.slice(-50)));
		expect(learningsOf(known)).toEqual(known);
	});

	it("reads no half of a character, and cuts none in two", () => {
		expect(learningsOf(["a\ud83d", " \n", " b "])).toEqual(["a\ufffd", "b"]);
		expect(learningsOf([`${"x".repeat(999)}😀`])).toEqual([`${"x".repeat(999)}…`]);
		expect(learn(`${"x".repeat(999)}😀`)).toEqual([`${"x".repeat(999)}…`]);
	});

	it("leaves out what is no text, and what says nothing goes with the next learning", () => {
		expect(learningsOf(["a", 1, null, "b"])).toEqual(["a", "b"]);
		expect(addLearning(["", "a"], "c")).toEqual(["a", "c"]);
	});
});
