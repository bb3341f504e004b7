import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import matter from "gray-matter";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { parseSkillFile } from "../../src/skill/parse-skill-file.js";
import { temporaryBundle } from "../script/bundle.js";

const NAMED = "name: a\ndescription: b";
const values = (text: string): Record<string, unknown> => ({ ...parseSkillFile(text).frontMatter.values });

/** What the text is refused with. Fails when it is not refused, or with something else than a ConfigurationError. */
function refusal(text: string): ConfigurationError {
	try {
		parseSkillFile(text);
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return error;
		throw error;
	}
	throw new Error("it was read");
}

describe("parseSkillFile() on front matter that is code", () => {
	const languages = [
		"js",
		"javascript",
		"JS",
		"JavaScript",
		" js",
		"\tjs ",
		"coffee",
		"coffeescript",
		"cson",
		"json",
		"toml",
		"constructor",
		"__proto__",
		"toString",
		"yml",
		"#js",
	];

	it.each(languages)("refuses ---%s and runs nothing", (language) => {
		const marker = join(temporaryBundle(), "ran");
		const code = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
		expect(refusal(`---${language}\n{ name: ${code} }\n---\nbody`).message).toContain(JSON.stringify(language.trim()));
		expect(existsSync(marker)).toBe(false);
	});

	it("would run it if gray-matter were called plainly", () => {
		const marker = join(temporaryBundle(), "ran");
		const write = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
		matter(`---js\n{ name: ${write} }\n---\nbody`);
		expect(existsSync(marker)).toBe(true);
	});

	it("takes front matter that stands in the body for text, and runs nothing of it", () => {
		const marker = join(temporaryBundle(), "ran");
		const body = `---js\n{ name: process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(marker)}, "") }\n---\nmore`;
		const { frontMatter, instructions } = parseSkillFile(`---\n${NAMED}\n---\n${body}`);
		expect([{ ...frontMatter.values }, instructions.text]).toEqual([{ name: "a", description: "b" }, body]);
		expect(parseSkillFile(`---\n${NAMED}\n---\n${instructions.text}`).instructions.text).toBe(body);
		expect(existsSync(marker)).toBe(false);
	});

	it("gives front matter no say in how the body is cut", () => {
		expect(parseSkillFile(`---\n${NAMED}\nexcerpt_separator: {a: 1}\n---\nbody`).instructions.text).toBe("body");
	});
});

describe("parseSkillFile() on fences", () => {
	it.each([
		["a byte order mark", `\uFEFF---\n${NAMED}\n---\nbody\n`],
		["CRLF", `---\r\nname: a\r\ndescription: b\r\n---\r\nbody\r\n`],
		["a byte order mark and CRLF", `\uFEFF---\r\nname: a\r\ndescription: b\r\n---\r\nbody`],
		["blanks behind the fences", `--- \t\n${NAMED}\n---  \n\n body \n\n`],
		["the language yaml", `---yaml\n${NAMED}\n---\nbody`],
		["comments and blank lines", `---\n# c\n\n${NAMED}\n\n---\nbody`],
	])("reads a file with %s", (_, text) => {
		expect(values(text)).toEqual({ name: "a", description: "b" });
		expect(parseSkillFile(text).instructions.text).toBe("body");
	});

	it("cuts at no --- but one that is a line alone", () => {
		const text = `---\nname: a---\ndescription: "x --- y"\nblock: |\n  ---\n  z\n----: 1\n---x: 2\n---\nfirst\n\n---\n\nsecond\n----\n`;
		expect(values(text)).toEqual({ name: "a---", description: "x --- y", block: "---\nz\n", "----": 1, "---x": 2 });
		expect(parseSkillFile(text).instructions.text).toBe("first\n\n---\n\nsecond\n----");
	});

	it("takes no other character than a line end for one", () => {
		expect(values("---\nname: a\u2028---\u2028b\n---\n")).toEqual({ name: "a\u2028---\u2028b" });
	});

	it("reads a file without a body, with or without a last line end", () => {
		expect(parseSkillFile(`---\n${NAMED}\n---`).instructions.text).toBe("");
		expect(parseSkillFile(`---\n${NAMED}\n---\n`).instructions.text).toBe("");
		expect(values("---\n---\nbody")).toEqual({});
		expect(values("---\n# only a comment\n---\n")).toEqual({});
	});

	it.each<[string, string, RegExp]>([
		["an empty file", "", /no front matter/],
		["a file without fences", "# Title\n", /no front matter/],
		["a blank line before the fence", `\n---\n${NAMED}\n---\n`, /no front matter/],
		["a longer rule", `----\n${NAMED}\n----\n`, /no front matter/],
		["one fence", `---\n${NAMED}\n`, /never closed/],
		["only a fence", "---", /never closed/],
		["too much of it", `---\n${NAMED}\nx: ${"y".repeat(33_000)}\n---\n`, /longer than 32768/],
		["brackets in brackets", `---\n${NAMED}\nx: ${"[".repeat(20_000)}\n---\n`, /more than 100 brackets within each other/],
		["maps in maps", `---\n${NAMED}\nx: ${"{a: ".repeat(5_000)}\n---\n`, /more than 100 brackets within each other/],
		["a list", "---\n- a\n---\n", /a list, not keys/],
		["a text", "---\njust text\n---\n", /a string, not keys/],
	])("refuses %s", (_, text, message) => {
		expect(refusal(text).message).toMatch(message);
	});

	it("refuses a run of blank lines for which gray-matter would need minutes", () => {
		expect(refusal(`---\n${"\n".repeat(30_000)}name: a\n---\n`).message).toMatch(/blank lines/);
	});
});

describe("parseSkillFile() on YAML", () => {
	it("is YAML 1.2: yes, no, on, dates and octals stay what is written", () => {
		const text = "---\na: no\nb: yes\nc: on\nd: 2024-01-01\ne: 017\nf: 1:30\ng: 1_000\nh: true\ni: ~\nj: 1.0\nk: 0x1f\n---\n";
		expect(values(text)).toEqual({
			a: "no",
			b: "yes",
			c: "on",
			d: "2024-01-01",
			e: 17,
			f: "1:30",
			g: "1_000",
			h: true,
			i: null,
			j: 1,
			k: 31,
		});
	});

	it("keeps __proto__ and constructor as keys, in maps without a prototype, all the way down", () => {
		const { values: frontMatter } = parseSkillFile(
			"---\n__proto__: {polluted: 1}\nmetadata:\n  __proto__: {polluted: 1}\n  constructor: x\n---\n",
		).frontMatter;
		expect(Object.keys(frontMatter)).toEqual(["__proto__", "metadata"]);
		expect(Object.getPrototypeOf(frontMatter)).toBeNull();
		const metadata = frontMatter.metadata as object;
		expect(Object.getPrototypeOf(metadata)).toBeNull();
		expect(Object.keys(metadata)).toEqual(["__proto__", "constructor"]);
		expect((metadata as { polluted?: number }).polluted).toBeUndefined();
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
	});

	it("does not merge what << names", () => {
		expect(values("---\na: &x {network: true}\nb:\n  <<: *x\n---\n").b).toEqual({ "<<": { network: true } });
	});

	it("gives independent, frozen values for the same text", () => {
		const text = "---\na: &x [1]\nb: *x\n---\n";
		const [first, second] = [parseSkillFile(text).frontMatter.values, parseSkillFile(text).frontMatter.values];
		expect(first).toEqual(second);
		expect(first.a).not.toBe(second.a);
		expect(first.a).not.toBe(first.b);
		expect(Object.isFrozen(first) && Object.isFrozen(first.a)).toBe(true);
	});

	it("fails for a text each time, where plain gray-matter has it empty the second time", () => {
		const text = "---\na: [\n---\nbody";
		expect(() => matter(text)).toThrow();
		expect(matter(text).data).toEqual({});
		expect(refusal(text).message).toBe(refusal(text).message);
	});

	it.each<[string, string, RegExp]>([
		["an unquoted colon", "description: Use when: x", /line 2 .*Put a value that contains ": " in quotes/],
		["a tab", "a:\n\tb: 1", /line 3 .*Indent with blanks/],
		["a doubled key", "a: 1\nb: 2\na: 3", /line 4 has the key "a" a second time/],
		["a doubled key below", "m:\n  a: 1\n  'a': 2", /line 4 has the key "a" a second time/],
		["an open bracket", "a: [1", /line \d+ /],
		["a tag", "a: !!js/function x", /line 2 .*Put a value that starts with "!" in quotes/],
		["a local tag", "a: !x y", /line 2 /],
		["a binary value", "a: !!binary aGk=", /line 2 /],
		["a directive for YAML 1.1", "%YAML 1.1\na: yes", /line \d+ /],
		["a second document", "a: 1\n...\nb: 2", /multiple documents/],
		["a list as a key", "? [a]\n: b", /line 2 /],
		["an alias without its anchor", "a: *b", /[Uu]nresolved alias/],
		["a value that contains itself", "a: &a [*a]", /nested more than 64 levels|cannot be read/],
	])("refuses %s, names the line, and keeps the parser's error", (_, yaml, message) => {
		const error = refusal(`---\n${yaml}\n---\n`);
		expect(error.message).toMatch(message);
		expect(error.message).not.toContain("\n");
		if (/valid YAML|cannot be read/.test(error.message)) expect(error.cause).toBeInstanceOf(Error);
	});

	const bomb = `a: &a [1,1,1,1,1,1,1,1,1]\n${[..."bcdefghij"].map((key, index) => `${key}: &${key} [${Array(9).fill(`*${"abcdefghi"[index]}`)}]`).join("\n")}`;

	it.each([
		["an alias bomb", bomb, /alias/],
		["10,000 nested lists", `a: ${"[".repeat(10_000)}${"]".repeat(10_000)}`, /brackets within|nested|call stack/],
		["100 nested lists", `a: ${"[".repeat(100)}${"]".repeat(100)}`, /nested more than 64 levels/],
		["10,000 nested lists on one line", `a:\n ${"- ".repeat(10_000)}x`, /brackets within|nested|call stack/],
		["200 nested maps", Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth)}k:`).join("\n"), /nested more than 64 levels/],
		["16,000 mistakes", "] ".repeat(16_000), /line 2 /],
	])("refuses %s", (_, yaml, message) => {
		expect(refusal(`---\n${yaml}\n---\n`).message).toMatch(message);
	});

	it("reads three thousand keys", () => {
		const keys = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join("\n");
		expect(Object.keys(parseSkillFile(`---\n${keys}\n---\n`).frontMatter.values)).toHaveLength(3000);
	});

	it("throws nothing but a ConfigurationError, whatever the text is, and cuts the body where the second fence stands", () => {
		const piece = fc.constantFrom(
			"---",
			"\n",
			"\r\n",
			"a: ",
			"b",
			"- ",
			"[",
			"]",
			"{",
			"}",
			"&x ",
			"*x ",
			"!t ",
			"|\n  ",
			": ",
			"# c",
			"'",
			'"',
			"\t",
			" ",
			"%YAML 1.1",
			"...",
			"<<",
			"\uFEFF",
			"é",
			"\0",
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
				const text = `---\n${pieces.join("")}`;
				try {
					const { instructions } = parseSkillFile(text);
					const lines = text.split(/\r\n|\n/);
					const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
					expect(instructions.text).toBe(
						lines
							.slice(end + 1)
							.join("\n")
							.trim(),
					);
				} catch (error) {
					expect(ConfigurationError.isInstance(error)).toBe(true);
				}
			}),
			{ numRuns: 500 },
		);
	});
});
