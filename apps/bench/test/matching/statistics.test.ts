import { describe, expect, test } from "vitest";
import { auroc, estimate, share } from "../../src/matching/statistics.js";

describe("estimate", () => {
	const halves = Array.from({ length: 100 }, (_, index) => index % 2 === 0);
	const half = (items: readonly boolean[]): number => share(items, (item) => item);

	test("lies around the figure, as wide as the binomial distribution says", () => {
		const { value, low, high } = estimate(halves, half);
		expect(value).toBe(0.5);
		expect(low).toBeGreaterThan(0.37);
		expect(low).toBeLessThan(0.43);
		expect(high).toBeGreaterThan(0.57);
		expect(high).toBeLessThan(0.63);
	});

	test("is the same each time", () => {
		expect(estimate(halves, half)).toEqual(estimate(halves, half));
	});

	test("has no width where all are alike", () => {
		expect(estimate([true, true, true], half)).toEqual({ value: 1, low: 1, high: 1 });
	});
});

describe("auroc", () => {
	test("is 1 where every right one is above every wrong one, and 0 where it is below", () => {
		expect(auroc([0.8, 0.9], [0.1, 0.7])).toBe(1);
		expect(auroc([0.1], [0.2, 0.3])).toBe(0);
	});

	test("counts equal ones half", () => {
		expect(auroc([0.5], [0.5, 0.1])).toBe(0.75);
	});
});
