import { describe, expect, it } from "vitest";
import { declaredParameters } from "../../src/script/declared-parameters.js";
import { describeScript } from "../../src/script/description.js";
import { isLibrary } from "../../src/script/library.js";

/**
 * Strangers' files, longer than any beginning of a script that is read: whoever begins anew at each character of them is not done before the runner
 * gives up, and who reads them once is in no time.
 */
const MUCH = 300_000;

describe("a long text is read once, whatever it is made of", () => {
	it.each([
		["comments with Windows' line ends", "a.py", "# x\r\n".repeat(60_000)],
		["blanks behind an if", "a.py", `def f():\n    pass\nif${" ".repeat(MUCH)}x\n`],
		["quotes", "a.py", `${'"""'.repeat(100_001)}${"a = 1\n".repeat(100_000)}`],
		["quotes that never close", "a.py", `${"'".repeat(MUCH)}\n"`],
		["backslashes", "a.js", `export const a = "${"\\".repeat(MUCH)}`],
		["blank lines", "a.js", `export const a = 1${"\n".repeat(MUCH)}x`],
		["line ends alone", "a.mjs", `export const a = 1${"\r".repeat(MUCH)}x`],
		["openings of comments", "a.js", `export {};${"/*".repeat(MUCH)}`],
		["ends of blocks", "a.py", `def f(): ...\nif ${": ".repeat(MUCH)}x\n`],
		["opening brackets", "a.mjs", `export {};\n${"(".repeat(MUCH)}`],
	])("%s", (_, name, text) => {
		expect(isLibrary(name, text)).toBe(true);
	});

	it.each([
		["comments with Windows' line ends", "a.py", `${"# An ordinary line.\r\n".repeat(20_000)}import sys\r\n`, "An ordinary line."],
		["a frame that is none", "f.sh", `# a${"=".repeat(MUCH)}b c\n`, /^a=+…$/],
		["blanks before what is no frame", "r.sh", `# usage${" ".repeat(MUCH)}x\n`, "usage x"],
		["frames on either side", "p.sh", `# x y\nset -e\n# === ${"=".repeat(MUCH)} ${"=".repeat(MUCH)}x\n`, /^x y$/],
		["an argument parser that takes nothing", "b.py", `import x\nfoo()\nArgumentParser(${" ".repeat(MUCH)}x`, "b"],
		["argument parsers", "b.py", `import x\nfoo()\n${"ArgumentParser(,".repeat(20_000)}`, "b"],
		["commas", "b.py", `import x\nfoo()\nArgumentParser(${", ".repeat(MUCH)}`, "b"],
		["imports of several lines", "a.mjs", "import {\n}\n".repeat(30_000), "a"],
		["settings of the shell", "a.sh", "set -e\n".repeat(40_000), "a"],
		["what begins as code", "a.sh", `# def ${"a".repeat(MUCH)}\n`, /^def a+…$/],
		["what begins as an import", "a.sh", `# import ${"from ".repeat(MUCH / 5)}\n`, /^import from/],
		["what begins as an assignment", "a.sh", `# const${" ".repeat(MUCH)}x a${" ".repeat(MUCH)}b\n`, "const x a b"],
	])("%s", (_, name, text, expected) => {
		expect(describeScript(name, Buffer.from(text))).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
	});

	it("tags without end", () => {
		expect(declaredParameters("g.sh", Buffer.from("#@flag --x\n".repeat(60_000)))).toEqual({
			ok: false,
			flaws: [{ message: "It declares more than 100 parameters.", line: 101 }],
		});
		const long = declaredParameters("g.sh", Buffer.from(`# @flag --x a\n${"# b\n".repeat(100_000)}`));
		expect(long?.ok && long.parameters.parameters[0]?.description).toMatch(/^a b b /);
	});
});
