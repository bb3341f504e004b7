import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrontMatterFlaw } from "../../src/markdown/front-matter-flaw.js";
import { type ParsedSkillFile, parseSkillFile } from "../../src/skill/parse-skill-file.js";
import { readPlain } from "../../src/skill/read-skill-text.js";

const said = (read: () => ParsedSkillFile | undefined): unknown => {
	try {
		const parsed = read();
		if (parsed === undefined) return undefined;
		const { frontMatter, instructions, quoted } = parsed;
		const lines = Object.keys(frontMatter.values).map((key) => frontMatter.lineOf(key));
		return { values: JSON.stringify(frontMatter.values), lines, text: instructions.text, quoted };
	} catch (error) {
		if (!FrontMatterFlaw.isInstance(error)) throw error;
		return `${error.rule} ${error.line}: ${error.message}`;
	}
};

/** Whether the fast reader took it. Fails where it and the parser do not agree. */
function agrees(text: string): boolean {
	const bytes = Buffer.from(text);
	const plain = said(() => readPlain(bytes));
	if (plain === undefined) return false;
	expect(plain).toEqual(said(() => parseSkillFile(bytes.toString())));
	return typeof plain !== "string";
}

describe("readPlain()", () => {
	it.each([
		"---\nname: a\n---\n",
		"---\nname: a\n---\nbody",
		"---\n---\nbody",
		"---\nname: a\n---\n\n \u3000\ufeff\n# Body 名前 😀\n\n---\nname: b\n---\n\u00a0\n",
		"---\nname: a\n---\nold\rmac\r\nwindows\r\n",
		"---\nname: a\n---\n\ufeffbody",
	])("takes and reads as the parser does: %j", (text) => {
		expect(agrees(text)).toBe(true);
	});

	it.each([
		"",
		"---",
		"---\n",
		"---\nname: a\n---",
		"---\nname: a\n---x\n",
		"---\nname: a\n--- \nbody\n---\n",
		"---\nname: a\n---\t\n---\nrest\n---\n",
		"--- \nname: a\n---\n",
		"----\nname: a\n---\n",
		"---\r\nname: a\r\n---\r\nbody",
		"---\rname: a\r---\nbody",
		"---\nname: a\r\n---\nbody",
		"\ufeff---\nname: a\n---\n",
		"\n---\nname: a\n---\n",
		"x\n---\nname: a\n---\n",
		"---yaml\nname: a\n---\n",
		"---\nname: [a\n---\n",
		"---\nname: a\nname: b\n---\n",
		`---\n${"\n".repeat(200)}name: a\n---\n`,
		`---\nname: ${"a".repeat(40_000)}\n---\n`,
	])("leaves to the parser, or reads as it does: %j", (text) => {
		expect(agrees(text)).toBe(false);
	});

	it("agrees with the parser on whatever it takes, wherever fences, line ends and blanks stand", () => {
		const piece = fc.oneof(
			{ weight: 4, arbitrary: fc.constantFrom("---\n", "\n---\n", "---", "\n", "name: a\n", "description: b", "\r\n", "\r", "--- \n") },
			{ weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."-\n\r\t :#a\u00a0\ufeff\u2028é😀\0"), maxLength: 6 }) },
			{ weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
		);
		let taken = 0;
		fc.assert(
			fc.property(fc.constantFrom("---\n", "---\nname: a\n", ""), fc.array(piece, { maxLength: 8 }), (start, pieces) => {
				if (agrees(start + pieces.join(""))) taken++;
			}),
			{ numRuns: 3000 },
		);
		// a property about nothing would hold, too
		expect(taken).toBeGreaterThan(100);
	});
});
