import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { estimateTokens, fullAt } from "../../src/history/tokens.js";
import { histories, talk, work } from "./histories.js";

type File = Extract<Extract<LanguageModelV4Message, { role: "user" }>["content"][number], { type: "file" }>;

const withFile = (mediaType: string, data: File["data"]): LanguageModelV4Message[] => [
	{ role: "user", content: [{ type: "file", mediaType, data }] },
];
const bytes = (count: number): File["data"] => ({ type: "data", data: new Uint8Array(count) });

describe("estimateTokens()", () => {
	it("takes four characters for a token, and letters of scripts without spaces for one each", () => {
		expect(["", "a", "abcd", "abcde", "x".repeat(4_000_000)].map(estimateTokens)).toEqual([0, 1, 1, 2, 1_000_000]);
		expect(["東京の天気", "東京 abcd.!?", "สวัสดี"].map(estimateTokens)).toEqual([5, 4, 6]);
	});

	it("counts what was said, called and given, and what the provider keeps of its thoughts", () => {
		expect(estimateTokens(talk("x".repeat(400), "y".repeat(40)))).toBe(110);
		// find, {"id":"c"}, find and 400 letters are 418
		expect(estimateTokens(work("x".repeat(40), "c", "y".repeat(400), "z".repeat(2)))).toBe(115);
		expect(estimateTokens([{ role: "assistant", content: [{ type: "reasoning", text: "x".repeat(80) }] }])).toBe(20);
		const output = { type: "json", value: { hits: ["x".repeat(87)] } } as const;
		expect(estimateTokens([{ role: "assistant", content: [{ type: "tool-result", toolCallId: "c", toolName: "a", output }] }])).toBe(
			25.25 + 0.75,
		);
		expect(estimateTokens([])).toBe(0);
	});

	it.each<[string, File["data"], number]>([
		["image/png", bytes(5_000_000), 1_600],
		["image", { type: "url", url: new URL("https://example.com/a.png") }, 1_600],
		["application/pdf", { type: "reference", reference: { openai: "file-1" } }, 1_600],
		["application/pdf", bytes(1_000), 1_600],
		["application/pdf", bytes(1_000_000), 20_000],
		["application/pdf", { type: "data", data: "A".repeat(1_000_000) }, 15_000],
		["audio/wav", bytes(1_000_000), 20_000],
		["text/plain", bytes(4_000), 1_000],
		["application/json", { type: "text", text: "x".repeat(400) }, 100],
	])("counts a file of %s with %o", (mediaType, data, tokens) => {
		expect(estimateTokens(withFile(mediaType, data))).toBe(tokens);
	});

	it("grows with every message", () => {
		fc.assert(
			fc.property(histories, (history) => {
				const sizes = history.map((_, index) => estimateTokens(history.slice(0, index + 1)));
				expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
				expect(sizes.every((size) => Number.isSafeInteger(size))).toBe(true);
				if (history.length > 0) expect(sizes[0]).toBeGreaterThan(0);
			}),
		);
	});
});

describe("fullAt()", () => {
	it("is four fifths of 200,000 tokens, or what the model's window and the threshold say", () => {
		expect([fullAt({}), fullAt({ contextWindow: 1_000 }), fullAt({ contextWindow: 1_000, compactThreshold: 0.5 })]).toEqual([
			160_000, 800, 500,
		]);
		expect(fullAt({ compactThreshold: 0 })).toBe(0);
	});

	it.each([
		{ contextWindow: 0 },
		{ contextWindow: Number.NaN },
		{ contextWindow: "200000" },
		{ compactThreshold: 80 },
		{ compactThreshold: -0.1 },
		{ compactThreshold: null },
	])("throws ConfigurationError for %o", (room) => {
		expect(() => fullAt(room as object)).toThrow(ConfigurationError);
	});
});
