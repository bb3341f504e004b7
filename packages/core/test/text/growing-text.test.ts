import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GrowingText } from "../../src/text/growing-text.js";

describe("GrowingText", () => {
	it("is its pieces joined, however many they are and however often it is read on the way", () => {
		const pieces = fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.boolean()), { maxLength: 2_000, size: "max" });
		fc.assert(
			fc.property(pieces, (all) => {
				const text = new GrowingText();
				let expected = "";
				for (const [piece, isRead] of all) {
					text.add(piece);
					expected += piece;
					expect(text.length).toBe(expected.length);
					if (isRead) expect(String(text)).toBe(expected);
				}
				expect(String(text)).toBe(expected);
			}),
			{ numRuns: 20 },
		);
	});

	it("is empty before anything was added", () => {
		expect([new GrowingText().length, String(new GrowingText())]).toEqual([0, ""]);
	});
});
