import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shellQuoted } from "../../src/text/shell-quote.js";

const ODD = [
	"",
	"plain",
	"$(touch PWNED)",
	"`id`",
	"a'b",
	"'",
	"\\",
	"a\\'b",
	"$HOME",
	"!!",
	"*",
	"~",
	"-n",
	"a\nb",
	"\u001b[2Jc",
	"\u009bd",
	"\u202eabc",
	"\u0001f",
	"ü\u2028x",
	"日本 語",
	"'\n'",
];

it("bash reads every word back as it was, and nothing in it means anything", () => {
	const words = [
		...ODD,
		...fc.sample(
			fc.string({ unit: fc.oneof(fc.constantFrom(..."'\"\\$`!\n\t \u001b0af"), fc.string({ minLength: 1, maxLength: 1 })) }),
			300,
		),
	].filter((word) => !word.includes("\0") && word.isWellFormed());
	const read = execFileSync("bash", ["-c", `printf '%s\\0' ${words.map(shellQuoted).join(" ")}`], { encoding: "utf8" });
	expect(read.split("\0").slice(0, -1)).toEqual(words);
});

it("is one printable line", () => {
	for (const word of ODD) expect(shellQuoted(word)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
	expect(shellQuoted("/w/it's")).toBe("'/w/it'\\''s'");
});
