import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFlatFrontMatter } from "../../src/markdown/flat-front-matter.js";
import type { FrontMatter } from "../../src/markdown/front-matter.js";
import { FrontMatterFlaw } from "../../src/markdown/front-matter-flaw.js";
import { splitFrontMatter } from "../../src/markdown/split-front-matter.js";
import { parseSkillFile } from "../../src/skill/parse-skill-file.js";

/** What both say of a text: its values, the lines of its keys, and the text below; or that there is a mistake. */
function said({ values, lineOf }: FrontMatter, instructions: string): unknown {
	const below = (value: unknown): readonly string[] => (typeof value === "object" && value !== null ? Object.keys(value) : []);
	return {
		values: JSON.stringify(values),
		kinds: Object.values(values).map((value) => [
			typeof value,
			value !== null && Object.getPrototypeOf(Object(value)) === null,
			Object.isFrozen(value),
		]),
		lines: Object.entries(values).map(([key, value]) => [key, lineOf(key), below(value).map((name) => lineOf(key, name))]),
		instructions,
	};
}

/** Whether the fast reader took it. Fails where the two do not agree. */
function agrees(text: string): boolean {
	let flat: FrontMatter | undefined;
	let body = "";
	try {
		const split = splitFrontMatter(text);
		body = split.body.trim();
		flat = readFlatFrontMatter(split.frontMatter);
	} catch (error) {
		expect(FrontMatterFlaw.isInstance(error)).toBe(true);
	}
	// what it does not take is read by the other one, so there is nothing to compare
	if (flat === undefined) return false;
	const { frontMatter, instructions } = parseSkillFile(text);
	expect(said(flat, body)).toEqual(said(frontMatter, instructions.text));
	return true;
}

const file = (frontMatter: string): string => `---\n${frontMatter}\n---\n\n# Body\n`;

const PLAIN = [
	"name: a\ndescription: Does things.",
	"name: pdf-processing\ndescription: Extracts text (and tables) from PDFs; use it for forms, too — or “quotes”.\nlicense: Apache-2.0",
	"# comment\nname: a\n\ndescription: b\n# another",
	'name: "a"\ndescription: "Use when: there is # a hash"',
	"name: 'a'\ndescription: 'x: y'",
	'name: a\nmetadata:\n  author: example-org\n  version: "1.0"\n  robot-lab.network: "no"\nlicense: MIT',
	"name: a\nmetadata:\n    a: b\n\n    c: d\ntimeout: 30\nnetwork: true",
	"name: a\nempty:\nlast:",
	"name: a\nallowed-tools: Bash(git:*) Bash(jq:*) Read",
	"name: a  \ndescription:    b   ",
	"name: 名前\ndescription: Ünïcode, ناشر and a\u00a0hard blank\u3000wide",
	"a: null\nb: Null\nc: true\nd: FALSE\ne: 0\nf: 123456789012345",
	"a: yes\nb: no\nc: on\nd: Off\ne: nullable\nf: truely\ng: nan\nh: inf\ni: Infinity\nj: e5\nk: x0f",
	"__proto__: a\nconstructor: b\ntoString: c\nhasOwnProperty: d",
	"metadata:\n  __proto__: a\n  constructor: b",
	"a: http://x.y/z\nb: c:d\nc: a#b\nd: (x)\ne: /etc/passwd\nf: ./x\ng: =x\nh: <x>\ni: $x",
	"yes: a\nno: b\non: c",
];

const ODD = [
	"a: 017",
	"a: 0o17",
	"a: 0x1f",
	"a: 1_000",
	"a: 1:30",
	"a: 2024-01-01",
	"a: 2024-01-01T00:00:00Z",
	"a: 1.0",
	"a: 1e3",
	"a: .5",
	"a: .inf",
	"a: .NaN",
	"a: ...",
	"a: .",
	"a: +1",
	"a: -1",
	"a: 1234567890123456789",
	"a: ~",
	"a: ~x",
	"a: =",
	"a: <<",
	"<<: x",
	"a: x: y",
	"a: x:",
	"a: x # y",
	"a: # y",
	"a: x #",
	"a: 'x' # y",
	"a: x\ty",
	"a:\tx",
	"a: x\t",
	"a: 'x'\t",
	"\ta: x",
	"a : x",
	"a:x",
	"a: x\na: y",
	"metadata:\n  a: x\n  a: y",
	"metadata:\n  a: x\n   b: y",
	"metadata:\n  a: x\n b: y",
	"metadata:\n  a:\n    b: c",
	"metadata:\n  a:\n  b: c",
	"metadata:\n# c\n  a: b\n# d\n  e: f",
	"metadata:\n  # c\n  a: b",
	"metadata:\n\n  a: b",
	"metadata:\n  - a",
	"metadata:\n- a",
	"metadata: x\n  a: b",
	"a: x\n  y",
	"a: x\n\n  y",
	"a: 'x\n  y'",
	'a: "x\\ty"',
	"a: 'x''y'",
	"a: ''",
	'a: ""',
	"a: '",
	"a: 'x'y",
	"a: 'x' 'y'",
	"a: x'y\"z",
	"a: &x y",
	"a: *x",
	"a: !t y",
	"a: !!str 5",
	"a: |\n  x\n  y",
	"a: >-\n  x\n  y",
	"a: [x, y]",
	"a: {x: y}",
	"a: ]x",
	"a: ,x",
	"a: %x",
	"a: @x",
	"a: `x`",
	"a: ?x",
	"a: ? x",
	"a: -x",
	"a: - x",
	"a: --- x",
	"? a",
	"%YAML 1.1\na: yes",
	"a: x\n...\nb: y",
	"null: x",
	"true: x",
	"~: x",
	"1: x",
	"'a': x",
	"a b: x",
	"a: \u00a0x",
	"a: x\u00a0",
	"a: x\u2028y",
	"a: x\u2028",
	"a: \ufeffx",
	"a: x\u0085y",
	"a: x\u0000y",
	"\ufeffa: x",
	"a: 😀 x",
	"a: x 😀",
	"   ",
	"",
	"a:  ",
	"a:\n  \nb: c",
	`${"k".repeat(100)}: x`,
	`${"k".repeat(1100)}: x`,
	`a: ${"x ".repeat(3000)}`,
];

describe("readFlatFrontMatter()", () => {
	it.each(PLAIN)("takes and reads as the parser of YAML does: %j", (frontMatter) => {
		expect(agrees(file(frontMatter))).toBe(true);
	});

	it.each(ODD)("leaves to the parser of YAML, or reads as it does: %j", (frontMatter) => {
		agrees(file(frontMatter));
		agrees(file(`name: a\n${frontMatter}\nlast: b`));
	});

	const scalar = fc.oneof(
		fc.constantFrom(...ODD.map((line) => line.replace(/^a: /, ""))),
		fc.string({ unit: fc.constantFrom(..."abz019 :#-_.,'\"[]{}&*!|>%@`?~=<\\/\t\u00a0\u2028éß名😀\ufeff+"), maxLength: 12 }),
		fc.string({ unit: "grapheme", maxLength: 12 }),
		fc.string({ unit: "binary", maxLength: 6 }),
	);
	const key = fc.constantFrom(
		"name",
		"description",
		"metadata",
		"a",
		"a.b",
		"__proto__",
		"null",
		"true",
		"yes",
		"fs_read",
		"a b",
		"",
		"-",
		"0",
	);
	const line = fc.oneof(
		{
			weight: 6,
			arbitrary: fc
				.tuple(fc.constantFrom("", "", "", "  ", "    ", " ", "\t"), key, fc.constantFrom(":", ": ", ":  ", " : ", ":\t"), scalar)
				.map((parts) => parts.join("")),
		},
		{ weight: 2, arbitrary: fc.constantFrom("metadata:", "a:", "", "# c", "  # c", "  ", "---", "...", "- a") },
		{ weight: 1, arbitrary: scalar },
	);

	it("agrees with the parser of YAML on whatever it takes, also in the kinds of values, in the lines of keys and in the body", () => {
		let taken = 0;
		fc.assert(
			fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n", "\r"), (lines, end) => {
				if (agrees(`---${end}${lines.join(end)}${end}---${end}body${end}`)) taken++;
			}),
			{ numRuns: 3000 },
		);
		// a property about nothing would hold, too
		expect(taken).toBeGreaterThan(100);
	});

	it("agrees with the parser, too, where blanks, keys or quotes have no end", () => {
		for (const text of [
			`a:${" ".repeat(30_000)}x`,
			`a: x${" ".repeat(30_000)}y`,
			`${" ".repeat(30_000)}a`,
			`a: "${'"'.repeat(30_000)}`,
			"a: ".repeat(10_000),
		]) {
			agrees(file(text));
		}
		const keys = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join("\n");
		expect(agrees(file(keys))).toBe(true);
	});
});
