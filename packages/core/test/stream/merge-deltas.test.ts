import { describe, expect, it } from "vitest";
import { continues, mergeDeltas } from "../../src/stream/merge-deltas.js";
import { asStream, delta, numbered } from "./log-events.js";

describe("continues()", () => {
	it("is true of two deltas of one part whose numbers follow each other, merged ones too", () => {
		const [one, two, three] = [1, 2, 3].map((number) => asStream(delta(number))) as [never, never, never];
		expect([continues(one, two), continues(mergeDeltas(one, two), three), continues(one, mergeDeltas(two, three))]).toEqual([
			true,
			true,
			true,
		]);
	});

	it("is false where a number lies between, or they are of two parts, or one is no delta", () => {
		const one = asStream(delta(1));
		expect(continues(one, asStream(delta(3)))).toBe(false);
		expect(continues(asStream(delta(2)), one)).toBe(false);
		expect(continues(one, asStream(delta(2, "x", "part-2")))).toBe(false);
		expect(continues(one, asStream(numbered(2, "part.completed", { partId: "part-1", delta: "x" })))).toBe(false);
		expect(continues(asStream(numbered(1)), asStream(numbered(2)))).toBe(false);
	});
});
