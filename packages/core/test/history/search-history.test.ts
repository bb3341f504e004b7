import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { historyOf } from "../../src/history/history-of.js";
import { messagesOf } from "../../src/history/messages-of.js";
import { searchHistory } from "../../src/history/search-history.js";
import { assistantText, userText } from "../../src/message/message.js";
import { talk, work } from "./histories.js";

const MESSAGES = messagesOf([
	...talk("How do I prune my apple trees?", "Prune them in late winter, with a sharp saw."),
	...work("Which trees stand in my garden?", "t", "apples: 3, pears: 2, near the river", "Apple trees and pears stand in your garden."),
	...talk("apple trees", "The trees of apples are apple trees."),
]);

describe("searchHistory()", () => {
	it("finds what was said and what tools gave, best first, each at its place", () => {
		const found = searchHistory(MESSAGES, "apple tree");
		expect(found.map(({ index }) => index)).toEqual([7, 0, 5, 2, 4]);
		for (const { index, text, role } of found) expect(MESSAGES[index]).toMatchObject({ content: text, role });
		expect(found[4]).toMatchObject({ role: "tool_result", text: "apples: 3, pears: 2, near the river" });
		const scores = found.map(({ score }) => score);
		expect(scores).toEqual(scores.toSorted((one, other) => other - one));
		expect(Math.min(...scores)).toBeGreaterThan(0);
	});

	it("leaves out texts of fewer than 20 characters, and what has no word of the query", () => {
		expect(searchHistory([userText("apple trees".padStart(30)), userText("eight characters less")], "apple trees")).toEqual([]);
		const text = "twenty chars of apple";
		expect(searchHistory([userText(text.slice(1)), userText(text.slice(2))], "apple")).toMatchObject([{ index: 0 }]);
		expect(searchHistory(MESSAGES, "quantum")).toEqual([]);
	});

	it("gives at most 5, or as many as it is told, of equally good ones the later first", () => {
		const many = Array.from({ length: 8 }, () => assistantText("Apple trees grow very slowly."));
		expect(searchHistory(many, "apple").map(({ index }) => index)).toEqual([7, 6, 5, 4, 3]);
		expect(searchHistory(many, "apple", { limit: 2 }).map(({ index }) => index)).toEqual([7, 6]);
		expect(searchHistory(many, "apple", { limit: 100 })).toHaveLength(8);
	});

	it.each(["", "   ", "the", "🙂", "?!"])("finds nothing for %j", (query) => {
		expect(searchHistory(MESSAGES, query)).toEqual([]);
	});

	it("finds words of scripts without spaces", () => {
		const messages = [
			userText("明日は友達と一緒に映画館へ行く予定です。"),
			assistantText("東京の天気は晴れで、気温は二十度くらいになります。"),
		];
		expect(searchHistory(messages, "天気").map(({ index }) => index)).toEqual([1]);
	});

	it("is not lost in a huge history", () => {
		const huge = historyOf([
			userText(`zebra ${"x ".repeat(5_000_000)}`),
			assistantText("a ".repeat(2_000_000)),
			userText("Where did the zebra go today?"),
		]);
		expect(searchHistory(messagesOf(huge), "zebra").map(({ index }) => index)).toEqual([2, 0]);
	});

	it.each([undefined, null, 7, ["apple"], /apple/])("throws ConfigurationError for the query %o", (query) => {
		expect(() => searchHistory(MESSAGES, query as unknown as string)).toThrow(/needs a query of text, got /);
		expect(() => searchHistory([], query as unknown as string)).toThrow(ConfigurationError);
	});

	it.each([{ limit: 0 }, { limit: -1 }, { limit: 2.5 }, { limit: "2" }, { limit: null }, { most: 3 }, null])(
		"throws ConfigurationError for the options %o",
		(options) => {
			expect(() => searchHistory([], "apple", options as object)).toThrow(ConfigurationError);
		},
	);
});
