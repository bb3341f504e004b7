import { expect, it } from "vitest";
import { printable, printableLine } from "../../src/render/printable.js";

it("printable() spells out what a terminal would obey", () => {
	expect(printable("a\u001b[2Jb\u0007c\rd\u009b1m")).toBe("a\\u001b[2Jb\\u0007c\\u000dd\\u009b1m");
});

it("printable() spells out characters that turn the direction of what follows", () => {
	expect(printable("safe\u202egnp.exe")).toBe("safe\\u202egnp.exe");
});

it("printable() spells out what nobody sees, and leaves what joins letters and pictures", () => {
	expect(printable("a\u200bb\u061cc\ufeffd\u2060e\u{e0041}")).toBe("a\\u200bb\\u061cc\\ufeffd\\u2060e\\u{e0041}");
	const unseen = "\u3164\u00ad\u034f\u115f\u1160\u17b4\u180e\u2064\uffa0\ufe00\ufe0f\u{1d173}\u{e0100}\u{e0fff}\u2028\u2029\u200d\u200c";
	for (const character of unseen) expect(printable(`hid${character}den`)).toMatch(/^hid\\u\{?[0-9a-f]{4,5}\}?den$/);
	expect(printable("a\u200d\u200d1\ufe0f2\u0301\u200d漢\u200c한\u200d")).toBe("a\\u200d\\u200d1\\ufe0f2\u0301\\u200d漢\\u200c한\\u200d");
	for (const needed of ["क्\u200dष", "❤\ufe0f\u200d🔥", "👩🏽\u200d💻", "1\ufe0f\u20e3", "☎\ufe0e", "葛\u{e0100}", "ᠠ\u180b", "ක්\u200dෂ"])
		expect(printable(needed)).toBe(needed);
	expect(printable("می\u200cخواهم 👩\u200d💻")).toBe("می\u200cخواهم 👩\u200d💻");
});

it("printable() leaves text, tabs, line ends and other scripts as they are", () => {
	expect(printable("naïve\t日本語\r\n😀\n")).toBe("naïve\t日本語\n😀\n");
});

it("printableLine() makes one line of many and names a cut", () => {
	expect(printableLine(" a\n  b\tc ")).toBe("a b c");
	expect(printableLine("abcdefghij", 5)).toBe("abcd…");
});
