import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { extractDescription } from "../../src/script/description.js";
import { temporaryBundle } from "./bundle.js";

const described = (name: string, text: string | Uint8Array): Promise<string> =>
	extractDescription(join(temporaryBundle({ [name]: text }), name));

describe("extractDescription()", () => {
	it.each([
		[
			"a shell comment below the first line",
			"a.sh",
			"#!/usr/bin/env bash\n# Verifies a deployment's health before promoting it.\n",
			"Verifies a deployment's health before promoting it.",
		],
		["the first of several lines", "a.sh", "#!/bin/bash\n# Checks things.\n# More details.\n", "Checks things."],
		["not a line of usage in the same block", "a.sh", "#!/bin/bash\n# Says hello\n# Usage: a.sh NAME\n", "Says hello"],
		["the line after one of usage", "a.sh", "# Usage: a.sh NAME\n# Says hello.\n", "Says hello."],
		["usage, when there is nothing else", "a.sh", "# Usage: a.sh NAME\n", "Usage: a.sh NAME"],
		[
			"a sentence that runs on",
			"a.sh",
			"# Checks every host that the\n# inventory lists, in order.\n# Prints a table.\n",
			"Checks every host that the inventory lists, in order.",
		],
		["a comment below set -e", "a.sh", "#!/bin/bash\nset -euo pipefail\n\n# Counts lines.\necho\n", "Counts lines."],
		["a comment with CRLF and a byte order mark", "a.sh", "\uFEFF#!/bin/bash\r\n# Counts lines.\r\n", "Counts lines."],
		["what stands behind the file's own name", "a.sh", "# a.sh - Counts lines.\n", "Counts lines."],
		["the line below the file's own name", "a.sh", "# a.sh\n#\n# Counts lines.\n", "Counts lines."],
		["no frame", "a.sh", "##########\n# ======== #\n# Counts lines.\n##########\n", "Counts lines."],
		["no directive", "a.sh", "#!/bin/bash\n# shellcheck disable=SC2034\n# vim: set ft=sh\n# Counts lines.\n", "Counts lines."],
		["no licence", "a.sh", "# Copyright (c) 2024 Somebody\n# All rights reserved.\n\n# Counts lines.\n", "Counts lines."],
		["no SPDX line", "a.sh", "# SPDX-License-Identifier: MIT\n\n# Counts lines.\n", "Counts lines."],
		[
			"a word about licences that is none",
			"a.sh",
			"# Checks the license headers of all files.\n",
			"Checks the license headers of all files.",
		],
		[
			"a docstring",
			"a.py",
			'#!/usr/bin/env python3\n"""Extracts tables from a PDF.\n\nMore.\n"""\nimport os\n',
			"Extracts tables from a PDF.",
		],
		["a docstring that starts on its second line", "a.py", '"""\nExtracts tables.\n"""\n', "Extracts tables."],
		[
			"a docstring below encoding and licence",
			"a.py",
			"# -*- coding: utf-8 -*-\n# Copyright 2024\n\nr'''Extracts tables.'''\n",
			"Extracts tables.",
		],
		["a docstring in single quotes", "a.py", "'Extracts tables.'\nx = 1\n", "Extracts tables."],
		["a docstring by the first line, without extension", "a", '#!/usr/bin/python3\n"""Extracts tables."""\n', "Extracts tables."],
		["a docstring that never ends", "a.py", '"""Extracts tables.\n', "Extracts tables."],
		[
			"a docstring below inline metadata",
			"a.py",
			'# /// script\n# dependencies = ["x"]\n# ///\n"""Extracts tables."""\n',
			"Extracts tables.",
		],
		[
			"a comment below inline metadata",
			"a.py",
			'# /// script\n# dependencies = ["x"]\n# ///\n# Extracts tables.\nimport os\n',
			"Extracts tables.",
		],
		["no comment in the middle of the code", "evaluation.py", "import os\nx = 1\n# Evaluation Report\n", "evaluation"],
		[
			"a block comment",
			"a.js",
			"#!/usr/bin/env node\n/**\n * Formats JSON files.\n *\n * @param x\n */\nconst x = 1;\n",
			"Formats JSON files.",
		],
		["a block comment on one line", "a.ts", "/* Formats JSON files. */\n", "Formats JSON files."],
		["line comments", "a.mjs", "'use strict';\n// Formats JSON files.\n", "Formats JSON files."],
		[
			"the second block when the first is a licence",
			"a.js",
			"/*! Copyright 2024 */\n\n/** Formats JSON files. */\n",
			"Formats JSON files.",
		],
		[
			"comment-based help",
			"a.ps1",
			"<#\n.SYNOPSIS\n    Formats JSON files.\n.DESCRIPTION\n    Long.\n#>\nparam()\n",
			"Formats JSON files.",
		],
		["no comment on the code below imports", "query.py", "import os\n\n# Default data path\nPATH = 1\n", "query"],
		["a comment below imports that no code follows", "a.py", "import os\n\n# Counts lines.\n\nPATH = 1\n", "Counts lines."],
		["a comment below an import of several lines", "a.mjs", "import {\n  x,\n} from 'y';\n\n// Counts lines.\n\nx();\n", "Counts lines."],
		["no heading of a section", "server.cjs", "const x = require('x');\n\n// ===== Protocol =====\n\nx();\n", "server"],
		["a framed title", "a.sh", "# ===== Counts lines =====\n", "Counts lines"],
		["no comment on set -e", "init.sh", "#!/bin/bash\n\n# Exit on error\nset -e\n\n# Detect the version\nx=1\n", "init"],
		["what does not begin like a list of needs", "a.sh", "# Prerequisites:\n# 1. a key\n\n# Counts lines.\n", "Counts lines."],
		["a sentence about usage", "a.sh", "# Usage: a.sh\n\n# Example usage of the counter\n", "Example usage of the counter"],
		["what stands behind the name without extension", "html2pptx.js", "/**\n * html2pptx - Converts slides.\n */\n", "Converts slides."],
		["a word that only begins like the file's name", "check.sh", "# checks lines - all of them.\n", "checks lines - all of them."],
		[
			"a sentence that runs on after a word that ends none",
			"a.py",
			"# Makes pictures that\n# Word reads.\n",
			"Makes pictures that Word reads.",
		],
		[
			"a sentence that runs on in brackets",
			"a.sh",
			'# Prints the profile of whoever owns the repository here\n# ("x" or "y").\n',
			'Prints the profile of whoever owns the repository here ("x" or "y").',
		],
		["no version", "a.py", '"""\nVersion: 1.0\nCounts lines.\n"""\n', "Counts lines."],
		[
			"an argument parser's description where there is no other",
			"a.py",
			"import argparse\n\nCODES = {}\np = argparse.ArgumentParser(\n    prog='x',\n    description=(\n        'Counts \\'lines\\', '\n        \"in order.\"\n    ),\n)\n",
			"Counts 'lines', in order.",
		],
		["nothing of a description that is computed", "a.py", "x = 1\np = argparse.ArgumentParser(description=__doc__)\n", "a"],
		...[
			"// const x = require('y');",
			"// let { a } = b",
			"// import x from 'y'",
			"// import { a } from './b.js';",
			"// main(process.argv);",
			"// x.y = 5",
			"// if (x) {",
			"// return x;",
			"// console.log(x)",
		].map((line): [string, string, string, string] => [`no code that was commented out: ${line}`, "a.mjs", `${line}\nrun();\n`, "a"]),
		["no import that was commented out", "a.py", "# from x import y\n# Counts lines.\nrun()\n", "Counts lines."],
		[
			"a sentence that begins as code does",
			"a.sh",
			"# import customers (from a file) for the shop\n",
			"import customers (from a file) for the shop",
		],
		["a sentence that ends in brackets", "a.sh", "# export all slides as images (PNG)\n", "export all slides as images (PNG)"],
		["a sentence about calls", "a.js", "// print() for humans: sets x = 1 in all files.\n", "print() for humans: sets x = 1 in all files."],
		["Lua's block", "a.lua", "--[[ Counts lines. ]]\nprint(1)\n", "Counts lines."],
		["Lua's block over lines", "a.lua", "--[[\n  Counts lines.\n]]\nprint(1)\n", "Counts lines."],
		["no text that is a part of an expression", "a.py", '"%s" % 3\nrun()\n', "a"],
		["no text that something is done with", "a.py", '"""Counts lines.""".strip()\nrun()\n', "a"],
		["a docstring with a comment or a statement behind it", "a.py", '"""Counts lines."""; import os # x\n', "Counts lines."],
		["the derived name without a comment", "check-it.sh", "#!/bin/bash\necho hi\n", "check_it"],
		["the derived name for an empty file", "check-it.sh", "", "check_it"],
		["letters of any language", "a.sh", "# 检查部署。\n", "检查部署。"],
	])("takes %s", async (_, name, text, expected) => {
		expect(await described(name, text)).toBe(expected);
	});

	it("gives at most 1,024 characters on one line, without what nobody sees, and splits none", async () => {
		const text = await described("a.sh", `# \u202e𝒳\u001b[31m\u0085\u200b\u009b\u{e0041}${"𝒳".repeat(5000)}\n`);
		expect([...text]).toHaveLength(1024);
		expect(text).toMatch(/^𝒳\[31m ?𝒳+…$/u);
	});

	it("reads no more than the first 64 KiB", async () => {
		expect(await described("far.sh", `#!/bin/bash\n${"\n".repeat(70_000)}# Too far down.\n`)).toBe("far");
	});

	it.each(["program", "program.sh"])("falls back to the name for a program (%s)", async (name) => {
		expect(await described(name, Buffer.from("\x7fELF\n# not a comment\n", "latin1"))).toBe("program");
	});

	it("falls back to the name for what cannot be read: nothing, a directory, a FIFO without a writer", async () => {
		const bundle = temporaryBundle();
		mkdirSync(join(bundle, "dir.sh"));
		execFileSync("mkfifo", [join(bundle, "fifo.sh")]);
		expect(await extractDescription(join(bundle, "missing-one.sh"))).toBe("missing_one");
		expect(await extractDescription(join(bundle, "dir.sh"))).toBe("dir");
		expect(await extractDescription(join(bundle, "fifo.sh"))).toBe("fifo");
	});
});
