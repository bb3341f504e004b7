import { describe, expect, it } from "vitest";
import { seenText } from "../../src/text/seen-text.js";
import { shellQuoted } from "../../src/text/shell-quote.js";
import { replaceUnseen } from "../../src/text/unseen.js";

const UNSEEN =
	"\u0000\u0007\u000b\r\u001b\u007f\u009b\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2028\u2029\u2060\u2064\u2066\u2069\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\u{1d173}\u{e0041}\u{e0100}\u{e0fff}";
const NEEDED = [
	"क्\u200dष",
	"❤\ufe0f\u200d🔥",
	"👩🏽\u200d💻",
	"1\ufe0f\u20e3",
	"☎\ufe0e",
	"葛\u{e0100}",
	"ᠠ\u180b",
	"ක්\u200dෂ",
	"می\u200cخواهم",
];

describe("replaceUnseen", () => {
	it("replaces what a terminal obeys and what nobody sees, each character by itself", () => {
		for (const character of UNSEEN)
			expect(replaceUnseen(`hid${character}den`, (each) => `<${each.codePointAt(0)}>`)).toBe(`hid<${character.codePointAt(0)}>den`);
	});

	it("leaves text, tabs, line feeds, and joiners and selectors where they are needed", () => {
		for (const text of ["naïve\t日本語\n😀", ...NEEDED]) expect(replaceUnseen(text, () => "!")).toBe(text);
		expect(replaceUnseen("a\u200d1\ufe0f2漢\u200c한\u200d", () => "!")).toBe("a!1!2漢!한!");
	});

	it("is what texts for models are cleaned of, and what words for shells spell out", () => {
		for (const character of UNSEEN.replaceAll(/[\r\u2028\u2029]/g, "")) {
			expect(seenText(`hid${character}den`)).toBe("hidden");
			expect(shellQuoted(`hid${character}den`)).toMatch(/^\$'hid(\\[0-7]{3})+den'$/);
		}
		for (const text of NEEDED) expect([seenText(text), shellQuoted(text)]).toEqual([text, `'${text}'`]);
	});
});
