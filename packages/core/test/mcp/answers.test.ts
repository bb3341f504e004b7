import { describe, expect, it } from "vitest";
import { relevantTo } from "../../src/mcp/relevance.js";
import { resultText } from "../../src/mcp/result-text.js";
import { boundedText, withoutSecrets } from "../../src/mcp/safe-text.js";
import { seenText } from "../../src/text/seen-text.js";

describe("an answer as text", () => {
	it("names what is no text", () => {
		const content = [
			{ type: "text", text: "one" },
			{ type: "audio", data: "QUJDRA==", mimeType: "audio/wav" },
			{ type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "inside" } },
			{ type: "resource", resource: { uri: "file:///b", mimeType: "image/png", blob: "QUJD" } },
			{ type: "resource_link", name: "c", uri: "file:///c" },
		];
		expect(resultText({ content }, 1_000).split("\n")).toEqual([
			"one",
			"[audio audio/wav, 4 bytes, not shown]",
			"[resource file:///a]",
			"inside",
			"[resource file:///b, image/png, 3 bytes, not shown]",
			"[resource c: file:///c]",
		]);
	});

	it("gives what is structured only where the text does not say it", () => {
		const structuredContent = { name: 'a "b"', count: 2 };
		const said = JSON.stringify(structuredContent);
		expect(resultText({ content: [{ type: "text", text: said }], structuredContent }, 1_000)).toBe(said);
		expect(resultText({ content: [{ type: "text", text: 'a "b", 2 times' }], structuredContent }, 1_000)).toBe('a "b", 2 times');
		expect(resultText({ content: [{ type: "text", text: "done" }], structuredContent }, 1_000)).toBe(`done\n${said}`);
		expect(resultText({ structuredContent }, 1_000)).toBe(said);
	});

	it("is no longer than it may be, whatever it is made of, and says what was cut", () => {
		const many = { content: Array.from({ length: 5_000 }, () => ({ type: "text", text: "ü".repeat(100) })) };
		const text = resultText(many, 300);
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
		expect(text).toContain("bytes cut");
		expect(text).toMatch(/\[4000 more parts are left out\]$/);
		expect(resultText(undefined, 300)).toBe("");
	});
});

describe("a stranger's text", () => {
	it("is given without what nobody sees", () => {
		expect(seenText("a\u202eb\u200bc\u0000d\u009be\u{E0041}f\r\ng\u2028h\ti\ud800")).toBe("abcdef\ng\nh\ti\ufffd");
		expect(seenText("grüße 👩‍👩‍👧 日本")).toBe("grüße 👩‍👩‍👧 日本");
	});

	it("is cut with a word on how long it was, in the middle of no character", () => {
		expect(boundedText("abc", 3)).toBe("abc");
		expect(boundedText("abcd", 3)).toBe("abc… (cut: the server wrote 4 characters)");
		expect(boundedText("ab👩", 3)).toBe("ab… (cut: the server wrote 4 characters)");
	});

	it("does not give secrets back", () => {
		expect(withoutSecrets("bad token sk-123456 given", ["sk-123456", "a"])).toBe("bad token [hidden] given");
	});
});

describe("servers that a message is about", () => {
	const files = { name: "files", description: "Read, write and search files in a directory" };
	const weather = { name: "weather", description: "Forecasts and current weather for a city" };
	const unsaid = { name: "unsaid" };

	it("are those whose description shares words with it, and those without one", () => {
		expect(relevantTo("Which files mention the budget?", [files, weather, unsaid])).toEqual([files, unsaid]);
		expect(relevantTo("What will the weather be in Bern?", [files, weather])).toEqual([weather]);
	});

	it("are all where none fits, or there is no message", () => {
		expect(relevantTo("Tell me a joke", [files, weather])).toEqual([files, weather]);
		expect(relevantTo("", [files, weather])).toEqual([files, weather]);
	});
});
