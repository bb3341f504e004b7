import { describe, expect, it } from "vitest";
import { lexicalEmbedder } from "../../src/embedding/lexical-embedder.js";
import { haveSameWording } from "../../src/embedding/same-wording.js";
import { unitVectorOf } from "../../src/embedding/unit-vector.js";
import { DIFFERENT, SAME } from "./question-pairs.js";

const embedder = lexicalEmbedder();

async function cosineOf([one, other]: readonly [string, string]): Promise<number> {
	const [left, right] = await Promise.all([unitVectorOf(one, embedder, {}), unitVectorOf(other, embedder, {})]);
	return left && right ? left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0) : 0;
}

/** How many pairs have a cosine from 0.95 on, and how many of these say the same as well. */
async function counted(pairs: readonly (readonly [string, string])[]): Promise<{ alike: number; same: number }> {
	const cosines = await Promise.all(pairs.map(cosineOf));
	const alike = pairs.filter((_, index) => (cosines[index] ?? 0) >= 0.95);
	return { alike: alike.length, same: alike.filter(([one, other]) => embedder.saysSame?.(one, other)).length };
}

describe("lexicalEmbedder() on questions", () => {
	// the figures of docs/memory.md
	it("takes no two different questions for one, which its cosine alone does, and finds those in the same words", async () => {
		expect([DIFFERENT.length, await counted(DIFFERENT)]).toEqual([24, { alike: 11, same: 0 }]);
		expect([SAME.length, await counted(SAME)]).toEqual([14, { alike: 11, same: 7 }]);
	});

	it("is not misled by a difference in the middle of what is longer than it reads", async () => {
		const [head, tail] = ["bees ".repeat(10_000), "honey ".repeat(10_000)];
		const pair = [`${head}not ${tail}`, `${head}${tail}`] as const;
		expect(await cosineOf(pair)).toBeGreaterThan(0.99);
		expect(embedder.saysSame?.(...pair)).toBe(false);
	});
});

describe("haveSameWording()", () => {
	it.each([
		["", "  ? "],
		["ﬁle", "FILE"],
		["日本の首都は？", "日本の首都は?"],
		["please", "please!"],
		["print please", "print"],
		["What is １０＋２？", "what is 10+2"],
		["Wait…", "wait"],
		["cafe\u0301", "caf\u00e9"],
		["What is 5! ?", "what is 5!"],
	])("takes %j and %j for one", (one, other) => expect(haveSameWording(one, other)).toBe(true));

	it.each([
		["can you swim?", "swim"],
		["café", "cafe"],
		["C", "C++"],
		["-5", "5"],
		["what's", "what"],
		["What is 10² + 1?", "What is 102 + 1?"],
		["2¹⁰", "210"],
		["10₂", "102"],
		["①②", "12"],
		["1½", "11⁄2"],
		["𝟏𝟎²", "102"],
		["5 m²", "5 m2"],
		["20 ㎡", "20 m2"],
		["2ⁿ", "2n"],
		["10⁻³", "10-3"],
		["What is 5!", "What is 5?"],
		["What is 5 !", "What is 5?"],
		["What is 5!!", "What is 5!"],
		["What is (2+3)!", "What is (2+3)?"],
		["What is 2²!", "What is 2²?"],
	])("keeps %j and %j apart", (one, other) => expect(haveSameWording(one, other)).toBe(false));

	it.each([
		" ".repeat(1_000_000),
		"?".repeat(1_000_000),
		`5${"!".repeat(1_000_000)}`,
		`5${"! ".repeat(500_000)}`,
		`${"?!. ".repeat(300_000)}x`,
		"please ".repeat(200_000),
		"what's ".repeat(200_000),
	])("reads a text of a million signs in time in proportion to it", (text) => expect(haveSameWording(text, `${text}y`)).toBe(false));
});
