import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeValue } from "../../src/text/describe-value.js";
import { headAndTail } from "../../src/text/head-and-tail.js";
import { messageOf } from "../../src/text/message-of.js";
import { isProviderSafeName, providerSafeName } from "../../src/text/provider-safe-name.js";
import { shorten } from "../../src/text/shorten.js";
import { beginningOf, endOf, wellFormed, wellFormedJson, wellFormedValue } from "../../src/text/well-formed.js";

/** Any text, with halves of characters in it. */
const torn = fc.string({ unit: fc.constantFrom("a", "😀", "\ud83d", "\ude00", "\\", '"', "u", "d83d", "é", "\n") });

/** What every text of plain data becomes. */
const mended = (value: unknown): unknown => {
	if (typeof value === "string") return value.toWellFormed();
	if (Array.isArray(value)) return value.map(mended);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.toWellFormed(), mended(entry)]));
};

describe("well-formed text", () => {
	it("has no half of a character, and stays as long as it was", () => {
		expect(wellFormed("a\ud83d")).toBe("a\ufffd");
		fc.assert(
			fc.property(torn, (text) => {
				expect(wellFormed(text).isWellFormed()).toBe(true);
				expect(wellFormed(text)).toHaveLength(text.length);
				if (text.isWellFormed()) expect(wellFormed(text)).toBe(text);
			}),
		);
	});

	it("is cut between characters, at most one unit before the place", () => {
		fc.assert(
			fc.property(torn, fc.nat(12), (text, most) => {
				const whole = wellFormed(text);
				for (const [cut, isPart] of [
					[beginningOf(whole, most), whole.startsWith(beginningOf(whole, most))],
					[endOf(whole, most), whole.endsWith(endOf(whole, most))],
				] as const) {
					expect([cut.isWellFormed(), isPart]).toEqual([true, true]);
					expect(cut.length).toBeLessThanOrEqual(most);
					expect(cut.length).toBeGreaterThanOrEqual(Math.min(whole.length, most) - 1);
				}
				expect([shorten(whole, most), headAndTail(whole, most)].every((cut) => cut.isWellFormed())).toBe(true);
			}),
		);
		expect([beginningOf("a😀b", 2), endOf("a😀b", 2), beginningOf("a😀b", 3)]).toEqual(["a", "b", "a😀"]);
	});

	it("is what JSON text holds once it is parsed, in names and in values, however it was written", () => {
		fc.assert(
			fc.property(fc.json({ stringUnit: "binary" }), torn, torn, (json, key, text) => {
				const data: unknown = { value: JSON.parse(json), [`k${key}`]: [text] };
				const written = JSON.stringify(data);
				expect(JSON.parse(wellFormedJson(written))).toEqual(mended(JSON.parse(written)));
				expect(JSON.stringify(wellFormedValue(data))).toBe(JSON.stringify(mended(data)));
			}),
		);
		expect(JSON.parse(wellFormedJson('["\ud83d\\n"]'))).toEqual(["\ufffd\n"]);
		expect(JSON.parse(wellFormedJson('["\\\\ud83d","\\ud83d","\\uD83D\\uDE00"]'))).toEqual(["\\ud83d", "\ufffd", "😀"]);
		const data = { a: "😀" };
		expect(wellFormedValue(data)).toBe(data);
		expect(wellFormedValue(undefined)).toBe(undefined);
	});
});

describe("what an error says", () => {
	it("is cut between characters, in an error's message and of a value in it", () => {
		expect(messageOf(new Error(`${"x".repeat(1_999)}😀`))).toBe(`${"x".repeat(1_999)}… (2 characters cut)`);
		expect(messageOf(new Error(`${"x".repeat(1_998)}😀y`))).toBe(`${"x".repeat(1_998)}😀… (1 characters cut)`);
		expect(describeValue(`${"x".repeat(59)}😀`)).toBe(`"${"x".repeat(59)}…"`);
	});
});

describe("providerSafeName()", () => {
	it("is a name that every provider accepts, and the same where it was one", () => {
		fc.assert(
			fc.property(fc.oneof(torn, fc.string({ maxLength: 200 })), (name) => {
				expect(isProviderSafeName(providerSafeName(name))).toBe(true);
				if (isProviderSafeName(name)) expect(providerSafeName(name)).toBe(name);
			}),
		);
		expect(["multi_tool_use.parallel", "", "functions.search"].map(providerSafeName)).toEqual([
			"multi_tool_use_parallel",
			"unnamed_tool",
			"functions_search",
		]);
	});
});
