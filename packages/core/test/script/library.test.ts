import { describe, expect, it } from "vitest";
import { isLibrary } from "../../src/script/library.js";

describe("isLibrary()", () => {
	it.each([
		["definitions", "utils.py", '"""Helpers."""\nimport os\n\nX = os.sep\n\ndef f():\n    print("in f")\n\nclass A:\n    pass\n'],
		[
			"what sets things up for importers",
			"utils.py",
			"import sys, logging\nsys.path.insert(0, '.')\nlogging.basicConfig()\ndef f(): ...\n",
		],
		["imports that are tried", "utils.py", "try:\n    import x\nexcept ImportError:\n    x = None\nif x:\n    y = 1\n"],
		["a text over lines that looks like code", "t.py", 'T = """\nfor x in y:\nprint(1)\n"""\n'],
		["a guard that forbids to run it", "base.py", "def f(): ...\nif __name__ == '__main__':\n    raise RuntimeError('not to be run')\n"],
		["a name that begins with an underscore", "/x/_lib.ps1", "function f {}\n"],
		["exports", "lib.mjs", "import x from 'x';\nexport function f() { console.log(x); }\n"],
		["exports in the older way", "lib.cjs", "function f() {}\nmodule.exports = { f };\n"],
		["exports of types", "lib.ts", "export type A = string;\n"],
	])("takes a file for one that holds %s", (_, name, text) => {
		expect(isLibrary(name, text)).toBe(true);
	});

	it.each([
		["a main guard", "a.py", "def f(): ...\nif __name__ == '__main__':\n    f()\n"],
		["a main guard the other way around", "a.py", "def f(): ...\nif '__main__' == __name__:\n    f()\n"],
		["a main guard that ends with what main says", "a.py", "def main(): ...\nif __name__ == '__main__':\n    raise SystemExit(main())\n"],
		["calls", "a.py", "import a\n\na.main()\n"],
		["loops", "a.py", "for x in range(3):\n    pass\n"],
		["a look at the command line", "a.py", "import sys\nreader = open(sys.argv[1])\n"],
		["exports and a look at the command line", "a.mjs", "export const f = 1;\nif (process.argv[2]) f();\n"],
		["exports and the question who started it", "a.mjs", "export const f = 1;\nif (import.meta.main) f();\n"],
		["no exports", "a.js", "console.log(1);\n"],
		["another language", "a.sh", "f() { :; }\n"],
		["another language, as a whole library", "a.rb", "module A\nend\n"],
	])("takes a file for a script that has %s", (_, name, text) => {
		expect(isLibrary(name, text)).toBe(false);
	});

	it("takes no time worth mentioning over a long text", () => {
		expect(isLibrary("a.py", `${'"""'.repeat(100_001)}${"a = 1\n".repeat(100_000)}`)).toBe(true);
	});
});
