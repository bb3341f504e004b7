import { describe, expect, it } from "vitest";
import { quoteValues } from "../../src/markdown/quote-values.js";

describe("quoteValues()", () => {
	it("quotes a value over several lines once, though the parser refused each of them, and the next one, too", () => {
		expect(quoteValues("a: it's: b\n  c: d\n  e: f\ng: h: i", [1, 2, 3, 4])).toEqual({
			text: "a: 'it''s: b\n  c: d\n  e: f'\ng: 'h: i'",
			lines: [
				{ key: "a", line: 1 },
				{ key: "g", line: 4 },
			],
		});
	});
});
