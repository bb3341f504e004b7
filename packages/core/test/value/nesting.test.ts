import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNestedDeeper } from "../../src/value/nesting.js";

const depthOf = (value: unknown): number =>
	typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe("isNestedDeeper()", () => {
	it("counts lists and records within each other", () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, most) => {
				expect(isNestedDeeper(value, most)).toBe(depthOf(value) > most);
			}),
		);
	});

	it("ends for what is deeper than the stack, or holds itself", () => {
		const depth = 200_000;
		expect(isNestedDeeper(JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`), 100)).toBe(true);
		const circle: unknown[] = [];
		circle.push(circle);
		expect(isNestedDeeper(circle, 100)).toBe(true);
	});
});
