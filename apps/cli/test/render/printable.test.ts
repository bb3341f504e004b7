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
	expect(printable("می\u200cخواهم 👩\u200d💻")).toBe("می\u200cخواهم 👩\u200d💻");
});

it("printable() leaves text, tabs, line ends and other scripts as they are", () => {
	expect(printable("naïve\t日本語\r\n😀\n")).toBe("naïve\t日本語\n😀\n");
});

it("printableLine() makes one line of many and names a cut", () => {
	expect(printableLine(" a\n  b\tc ")).toBe("a b c");
	expect(printableLine("abcdefghij", 5)).toBe("abcd…");
});
