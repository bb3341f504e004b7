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
		[
			"imports whose absence ends the program",
			"t.py",
			"import sys\ntry:\n    import x\nexcept ImportError:\n    print('no x')\n    sys.exit(1)\ndef f(): ...\n",
		],
		["a value over lines", "t.py", "def f(): ...\nX = [\n    f(1),\n    f(2),\n]\nlog = f(3)\n"],
		["constants", "t.py", "import os\nfrom pathlib import Path\nROOT = Path(os.getcwd())\nSQL = 'a; b(c)'\n"],
		[
			"exports and what is set up for them",
			"lib.js",
			"'use strict';\nrequire('x').config();\nObject.freeze(a);\ntry {\n  b = require('b');\n} catch (error) {\n  log(error);\n}\nmodule.exports = a;\n",
		],
		[
			"exports and calls in functions, texts and comments",
			"lib.ts",
			"/*\nf();\n*/\nexport class A {\n  b() {\n    f(`\ng();\n`);\n  }\n}\n// h();\n",
		],
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
		[
			"calls that are tried",
			"a.py",
			"import sys\ndef main():\n    print('x')\ntry:\n    main()\nexcept KeyboardInterrupt:\n    sys.exit(130)\n",
		],
		["calls on a condition", "a.py", "import os\ndef f(): ...\nif os.environ.get('X', 'y'):\n    f()\n"],
		["a program that it starts", "a.py", "import subprocess\ndef f(): ...\nout = subprocess.run(['date'], check=True)\n"],
		["a result and no definition", "a.py", "import x\nreport = x.make()\n"],
		["calls behind an import on its line", "a.py", "import os; print('hi')\ndef f(): ...\n"],
		["calls between what only looks like long texts", "a.py", "# Never write ''' here\ndef f(): ...\nf()\nX = '''text'''\n"],
		["Windows' line ends", "a.py", "def f(): ...\r\nif __name__ == '__main__':\r\n    f()\r\n"],
		["exports and an awaited call", "a.mjs", "export async function main() {\n  console.log(1);\n}\nawait main();\n"],
		["exports and a call", "a.cjs", "function main() {}\nmodule.exports = { main };\nmain().catch(console.error);\n"],
		["exports and a call in a block", "a.mjs", "export const a = 1;\nfor (const x of [1]) {\n  console.log(x);\n}\n"],
		["exports and a function that is called where it stands", "a.ts", "export {};\n(async () => {\n  await f();\n})();\n"],
		["nothing but calls and the mark of a module", "a.ts", "export {};\nconsole.log(await (await fetch('http://x')).text());\n"],
		["no exports", "a.js", "console.log(1);\n"],
		["another language", "a.sh", "f() { :; }\n"],
		["another language, as a whole library", "a.rb", "module A\nend\n"],
	])("takes a file for a script that has %s", (_, name, text) => {
		expect(isLibrary(name, text)).toBe(false);
	});
});
