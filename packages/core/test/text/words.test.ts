import { describe, expect, it } from "vitest";
import { contentWords, stemOf, wordsOf } from "../../src/text/words.js";

describe("wordsOf()", () => {
	it.each([
		["Read the FILE", ["read", "the", "file"]],
		["readFile read_file read-file HTMLParser v2", ["read", "file", "read", "file", "read", "file", "htmlparser", "v2"]],
		["Anna’s dog's don't", ["anna", "dog", "don't"]],
		["größe ИМЯ 日本語", ["größe", "имя", "日本語"]],
		[" \n🙂—", []],
	])("takes %j apart", (text, words) => {
		expect(wordsOf(text)).toEqual(words);
	});
});

describe("contentWords()", () => {
	it("drops what every request has", () => {
		expect(contentWords("Could you please show me the weather in Berlin?")).toEqual(["weather", "berlin"]);
		expect(contentWords("What is this?")).toEqual([]);
	});
});

describe("stemOf()", () => {
	it("gives forms of one word the same stem and leaves other scripts and names with digits alone", () => {
		expect(new Set(["count", "counts", "counting", "counted"].map(stemOf)).size).toBe(1);
		expect(["größe", "md5"].map(stemOf)).toEqual(["größe", "md5"]);
	});
});
