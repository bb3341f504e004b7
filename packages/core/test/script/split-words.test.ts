import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitWords } from "../../src/script/split-words.js";

const words = (text: string): unknown => {
	const split = splitWords(text);
	return split.ok ? split.words : split.message;
};

describe("splitWords()", () => {
	it.each<[string, readonly string[]]>([
		["", []],
		[" \t\n ", []],
		['""', [""]],
		["''", [""]],
		["a '' b", ["a", "", "b"]],
		["a\\ b", ["a b"]],
		["a  b\tc\nd", ["a", "b", "c", "d"]],
		[`it's m'ine`, ["its mine"]],
		["'a\\''b'", ["a\\b"]],
		[`a"b c"d'e f'g`, ["ab cde fg"]],
		[`'a"b' "c'd"`, ['a"b', "c'd"]],
		['"a\\"b"', ['a"b']],
		['"a\\nb \\$x \\`y \\\\z"', ["a\\nb $x `y \\z"]],
		["'a\\nb\\'", ["a\\nb\\"]],
		["a\\\nb", ["ab"]],
		["a \\\n b", ["a", "b"]],
		['"a\\\nb"', ["ab"]],
		["'a\nb'", ["a\nb"]],
		["--x=$HOME", ["--x=$HOME"]],
		["a; rm -rf /", ["a;", "rm", "-rf", "/"]],
		["*.ts $(id) `id` ~ {a,b}", ["*.ts", "$(id)", "`id`", "~", "{a,b}"]],
		["a && b || c | d > e &", ["a", "&&", "b", "||", "c", "|", "d", ">", "e", "&"]],
		["# no comment", ["#", "no", "comment"]],
		['--json {"a":1}', ["--json", "{a:1}"]],
		[`--json '{"a": 1}'`, ["--json", '{"a": 1}']],
		["a\u00a0b\rc\vd", ["a\u00a0b\rc\vd"]],
		["𝒳 'é'", ["𝒳", "é"]],
	])("reads %j as %j", (text, expected) => {
		expect(words(text)).toEqual(expected);
	});

	it.each([
		['"unterminated', 'has a " that is never closed'],
		["it's", "has a ' that is never closed"],
		['a "b\\"', 'has a " that is never closed'],
		["a\\", "ends in a backslash"],
		["'a\\'b'", "has a ' that is never closed"],
	])("refuses %j with a line for the model", (text, flaw) => {
		expect(words(text)).toContain(flaw);
		expect(words(text)).toContain("array of strings");
	});

	it("names a long text by its beginning", () => {
		expect(words(`'${"x".repeat(1e6)}`)).toBe(words(`'${"x".repeat(1e5)}`));
	});

	it("splits a megabyte of quotes in time that grows with its length only", () => {
		expect(words(`"\\"" `.repeat(200_000))).toHaveLength(200_000);
	});

	const word = fc.string({ unit: fc.constantFrom(...("ab '\"\\$`\n\t*;&|#~!é𝒳".match(/./gsu) ?? [])), maxLength: 8 });
	const quotings: readonly ((text: string) => string)[] = [
		(text) => `'${text.replaceAll("'", `'\\''`)}'`,
		(text) => `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`,
		(text) => (text === "" ? '""' : text.replaceAll(/[^\n]/gu, "\\$&").replaceAll("\n", "'\n'")),
	];
	const quoted = fc.array(fc.tuple(word, fc.constantFrom(...quotings)), { maxLength: 6 });

	it("reads what is quoted as sh reads it", () => {
		fc.assert(
			fc.property(quoted, fc.constantFrom(" ", "  ", "\t", " \\\n"), (list, blank) => {
				const text = list.map(([plain, quote]) => quote(plain)).join(blank);
				expect(words(text)).toEqual(list.map(([plain]) => plain));
				const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' x ${text}`], { encoding: "utf8" });
				expect(printed.split("\0").slice(1, -1)).toEqual(list.map(([plain]) => plain));
			}),
			{ numRuns: 150 },
		);
	});

	it("never throws, and gives back as it is a text without blanks, quotes and backslashes", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				const split = splitWords(text);
				if (!/[ \t\n'"\\]/.test(text)) expect(split).toEqual({ ok: true, words: text === "" ? [] : [text] });
			}),
		);
	});
});
