import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosine, meanDirection, termVector } from "../../src/text/term-vector.js";

const alike = (one: string, other: string): number => cosine(termVector(one), termVector(other));

describe("termVector()", () => {
	it("counts stems and leaves stop words out", () => {
		expect([...termVector("The robots and the robot: counting counts")]).toEqual([
			["robot", 2],
			["count", 2],
		]);
	});

	it("takes pairs of letters for terms where a script has no spaces", () => {
		expect([...termVector("東京の天気 猫")]).toEqual([
			["東京", 1],
			["京の", 1],
			["の天", 1],
			["天気", 1],
			["猫", 1],
		]);
		expect(alike("明日の東京の天気を教えてください", "東京の天気は晴れです")).toBeGreaterThan(alike("明日の東京の天気", "猫が好きです"));
	});

	it("keeps words that every object has as a key apart from it", () => {
		expect([...termVector("__proto__ constructor")].map(([, count]) => count)).toEqual([1, 1]);
		expect(alike("constructor toString", "apples pears")).toBe(0);
	});

	it("takes the beginning and the end of a huge text", () => {
		const huge = `lion ${"x".repeat(15_000)} tiger ${"y".repeat(5_000_000)} zebra`;
		expect([alike(huge, "lion") > 0, alike(huge, "zebra") > 0, alike(huge, "tiger")]).toEqual([true, true, 0]);
	});
});

describe("cosine()", () => {
	it("is 1 for the same words, however often all of them are said, and 0 for none in common", () => {
		for (const times of [1, 2, 7, 400]) expect(alike("red robots count apples, red", "count apple robot red red ".repeat(times))).toBe(1);
		expect(alike("red robots", "blue seas")).toBe(0);
		expect(alike("red robots", "")).toBe(0);
	});

	it("is what geometry says", () => {
		expect(alike("red robot", "red sea")).toBeCloseTo(0.5, 12);
		expect(alike("red red robot", "red")).toBeCloseTo(2 / Math.sqrt(5), 12);
	});

	it("lies from 0 to 1, and does not depend on the order", () => {
		const text = fc.array(fc.constantFrom("red", "robot", "sea", "apple", "猫犬"), { maxLength: 12 }).map((words) => words.join(" "));
		fc.assert(
			fc.property(text, text, (one, other) => {
				const score = alike(one, other);
				expect(score).toBeGreaterThanOrEqual(0);
				expect(score).toBeLessThanOrEqual(1);
				expect(alike(other, one)).toBe(score);
				if (one !== "") expect(alike(one, one)).toBe(1);
			}),
		);
	});
});

describe("meanDirection()", () => {
	it("lets a long text count no more than a short one", () => {
		const mean = meanDirection([termVector("robot ".repeat(50)), termVector("sea")]);
		expect([...mean]).toEqual([
			["robot", 1],
			["sea", 1],
		]);
	});

	it("is empty where there are no words", () => {
		expect(meanDirection([]).size + meanDirection([termVector("the"), termVector("")]).size).toBe(0);
	});
});
