import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { declaredParameters } from "../../src/script/declared-parameters.js";
import { describeScript } from "../../src/script/description.js";
import { inspectScript } from "../../src/script/inspect-script.js";
import type { ParameterDeclaration, ScriptParameter } from "../../src/script/script-parameters.js";
import { temporaryBundle } from "./bundle.js";

const declared = (text: string, file = "tool.sh"): ParameterDeclaration | undefined => declaredParameters(file, Buffer.from(text));

function parametersOf(text: string, file?: string): readonly ScriptParameter[] {
	const declaration = declared(text, file);
	if (declaration?.ok !== true) throw new Error(`not declared: ${JSON.stringify(declaration)}`);
	return declaration.parameters.parameters;
}

function flawsOf(text: string): readonly string[] {
	const declaration = declared(text);
	return declaration?.ok === false ? declaration.flaws.map(({ message, line }) => `${line}: ${message}`) : [];
}

const OPTION = { kind: "option", type: "string", required: false, multiple: false };

describe("a tag", () => {
	it.each<[string, object]>([
		["@option --limit", { ...OPTION, name: "limit" }],
		["@option --limit <INT> How many.", { ...OPTION, name: "limit", type: "integer", description: "How many." }],
		["@option -l --limit <int>", { ...OPTION, name: "limit", type: "integer" }],
		["@option --limit=10 <INT 1..100>", { ...OPTION, name: "limit", type: "integer", default: 10, minimum: 1, maximum: 100 }],
		["@option --ratio=-.5 <NUM -1.5..>", { ...OPTION, name: "ratio", type: "number", default: -0.5, minimum: -1.5 }],
		["@option --ratio <NUMBER ..0.5>", { ...OPTION, name: "ratio", type: "number", maximum: 0.5 }],
		["@option --out! <FILE> Where.", { ...OPTION, name: "out", required: true, description: "Where. (FILE)" }],
		["@option --tag*", { ...OPTION, name: "tag", multiple: true }],
		["@option --tag+, <INT>", { ...OPTION, name: "tag", type: "integer", multiple: true, required: true }],
		["@option --level[info|warn] The least", { ...OPTION, name: "level", choices: ["info", "warn"], description: "The least" }],
		["@option --level[=info|warn]", { ...OPTION, name: "level", choices: ["info", "warn"], default: "info" }],
		["@option --size![1|2] <INT>", { ...OPTION, name: "size", type: "integer", choices: [1, 2], required: true }],
		["@option --level*[a|b]", { ...OPTION, name: "level", choices: ["a", "b"], multiple: true }],
		['@option --sep=" " Between', { ...OPTION, name: "sep", default: " ", description: "Between" }],
		["@option --by=`_default` Computed", { ...OPTION, name: "by", description: "Computed" }],
		["@option --by[`_choices`]", { ...OPTION, name: "by" }],
		["@option --color=true <BOOL>", { ...OPTION, name: "color", type: "boolean", default: true }],
		["@flag -v --verbose Say more", { ...OPTION, kind: "flag", type: "boolean", name: "verbose", description: "Say more" }],
		["@arg file! <FILE>", { ...OPTION, kind: "argument", name: "file", required: true, description: "(FILE)" }],
		["@arg files+ Which.", { ...OPTION, kind: "argument", name: "files", required: true, multiple: true, description: "Which." }],
		["@arg a.b-c_1", { ...OPTION, kind: "argument", name: "a.b-c_1" }],
		["@option --constructor", { ...OPTION, name: "constructor" }],
	])("%s is one parameter", (tag, parameter) => {
		expect(parametersOf(`#!/bin/bash\n# ${tag}\n`)).toEqual([parameter]);
	});

	it.each([
		["@option limit", "of the form @option --name"],
		["@option", "of the form @option --name"],
		["@option -l", "of the form @option --name"],
		["@option -long", "of the form @option --name"],
		["@option --a~", "of the form @option --name"],
		["@option --limit<INT>", "of the form @option --name"],
		["@option --limit= <INT>", "of the form @option --name"],
		["@option -h | --help Show", "of the form @option --name"],
		["@arg --file", "of the form @arg name"],
		["@arg $1 string A value", 'the name "$1"'],
		["@arg __proto__", 'the name "__proto__"'],
		["@option --é", "ASCII letters"],
		[`@option --${"x".repeat(65)}`, "1 to 64"],
		["@option --pair <FILE> <FILE>", "more than one value at a time"],
		["@option --n <FILE+>", "is no type"],
		["@option --n <INT 9..1>", "is empty"],
		["@option --n <FILE 1..2>", "has a range"],
		["@option --n <INT 1-100>", "<INT 1-100> begins as <INT>, and what follows is no range: write <INT>, <INT 1..100>"],
		["@option --n <int1-100>", "begins as <int>"],
		["@option --n <NUMBER 1>", "begins as <NUMBER>"],
		["@option --n <NUM of rows>", "begins as <NUM>"],
		["@arg n <BOOL yes>", "begins as <BOOL>"],
		["@options --rows=5", "there is no such tag; write @option"],
		["@optoin --rows", "write @option"],
		["@Flag --all", "write @flag"],
		["@fla --all", "write @flag"],
		["@args file", "write @arg"],
		["@imput json", "write @input"],
		["@option --n=x <INT>", 'the default "x" is not a whole number'],
		["@option --n=0 <INT 1..2>", 'the default "0" is not a whole number from 1 to 2'],
		["@option --n!=1", "has no default"],
		["@option --n*=1", "has no default"],
		["@option --n[a\u001b[2J|b] <TEXT> c", "characters that nobody sees"],
		["@option --n=\u202ea", "characters that nobody sees"],
		["@option --n[]", 'the choice "" is empty'],
		["@option --n[a|a]", 'the choice "a" is empty, there twice'],
		["@option --n[a|2] <INT>", "not a whole number"],
		["@option --n[yes|no] <BOOL>", "true or false is all"],
		["@flag --v*", "a flag is given or not"],
		["@flag --v <INT>", "a flag is given or not"],
		["@input xml", 'must be "json" or "options"'],
		["@cmd Upload a file", "commands within a script"],
	])("%s is malformed: %s", (tag, message) => {
		const [flaw = "", ...others] = flawsOf(`#!/bin/bash\n# Does things.\n# @option --good\n# ${tag}\n`);
		expect(others).toEqual([]);
		expect(flaw).toMatch(/^4: @/);
		expect(flaw).toContain(message);
	});

	it.each([
		["names that differ in dashes alone", ["@option --a-b", "@arg a_b"], "cannot be told from that of a-b"],
		["names that differ in case alone", ["@flag --force", "@option --Force"], "cannot be told from that of force"],
		["one name twice", ["@option --limit", "@option --limit <INT>"], "cannot be told"],
		["an argument behind a list", ["@arg files*", "@arg to"], "no @arg can follow files"],
		["one that must be given behind one that need not", ["@arg from", "@arg to!"], "from before it need not be"],
	])("declares nothing with %s", (_, tags, message) => {
		expect(flawsOf(tags.map((tag) => `# ${tag}\n`).join(""))).toEqual([expect.stringContaining(message)]);
		expect(flawsOf(tags.map((tag) => `# ${tag}\n`).join(""))[0]).toMatch(/^2: /);
	});

	it("is one of at most 100", () => {
		const tags = (count: number): string => Array.from({ length: count }, (_, index) => `# @flag --flag${index}\n`).join("");
		expect(parametersOf(tags(100))).toHaveLength(100);
		expect(flawsOf(tags(200))).toEqual(["101: It declares more than 100 parameters."]);
	});
});

describe("a declaration", () => {
	it.each([
		[
			"a shell's comments, with code before and between them",
			"#!/bin/bash\n# Says.\nset -e\n\n# @option --one\n\n# @flag --two\necho # @flag --no\n",
		],
		["comments of C's kind", "#!/usr/bin/env node\n// Says. // x\n// @option --one\n// @flag --two\nimport x from 'y';\n"],
		["a block comment", "/**\n * Says.\n *\n * @option --one\n * @flag --two\n */\nrun();\n// @flag --no\n"],
		["two dashes", "-- Says.\n-- @option --one\n-- @flag --two\nprint()\n"],
		["PowerShell's block", "<#\n@option --one\n@flag --two\n#>\n"],
		["lines that end as on Windows", "# Says.\r\n# @option --one\r\n# @flag --two\r\n"],
		["a Python docstring", '#!/usr/bin/env python3\n"""Says.\n\n@option --one\n@flag --two\n"""\nimport sys\n# @flag --no\n'],
		["comments before a Python docstring", '#!/usr/bin/env python3\n# @option --one\n"""Says.\n\n@flag --two\n"""\n'],
	])("is read from %s", (_, text) => {
		expect(parametersOf(text).map(({ name }) => name)).toEqual(["one", "two"]);
	});

	it("runs on until its paragraph ends, and leaves the tags of others alone", () => {
		const text =
			"# @option --one <INT> The first\n#   of them.\n# @env HOME\n# more of that\n#\n# Not of it.\n# @arg {string} x  JSDoc's\n# @param x\n# @meta y\n";
		expect(parametersOf(text)).toEqual([{ ...OPTION, name: "one", type: "integer", description: "The first of them." }]);
	});

	it("of a word that only begins as a type is a text", () => {
		const words = ["INTERVAL", "NUM_ROWS", "NUMERIC", "INT-LIST", "BOOLEANS"];
		const parameters = parametersOf(words.map((word, index) => `# @option --p${index} <${word}>\n`).join(""));
		expect(parameters.map(({ type, description }) => [type, description])).toEqual(words.map((word) => ["string", `(${word})`]));
	});

	it("that has a misspelt tag alone is a declaration where that names an option, and else somebody else's comment", () => {
		expect(flawsOf("# Says.\n# @options --rows=5 <INT> How many.\n")).toEqual([
			'2: @options "--rows=5 <INT> How many.": there is no such tag; write @option.',
		]);
		for (const text of ["# @args x\n", "# @options are few\n", "# @Args {string} x\n# @org x\n"]) expect(declared(text)).toBeUndefined();
		expect(parametersOf("# @option --one\n# @args {string} x\n# @end\n# @opt --two\n")).toHaveLength(1);
	});

	it("is none where there is no tag of ours, or only in code", () => {
		for (const text of [
			"",
			"# Says.\n# @describe Says more.\n",
			"echo\n# @option --one\n",
			"# mail@option.org\n",
			"#@ option\n",
			"# x @option --a\n",
		]) {
			expect(declared(text)).toBeUndefined();
		}
		expect(declared("\x7fELF# @option --one\n")).toBeUndefined();
	});

	it("says how the values come", () => {
		expect(declared("# @input json\n# @option --one\n")).toMatchObject({ parameters: { input: "json", parameters: [{ name: "one" }] } });
		expect(declared("# @input json\n")).toEqual({ ok: true, parameters: { input: "json", parameters: [] } });
		expect(declared("# @option --one\n")).toMatchObject({ parameters: { input: "options" } });
	});

	it("is frozen, and tells of five flaws at most", () => {
		expect(Object.isFrozen(parametersOf("# @option --one\n"))).toBe(true);
		expect(Object.isFrozen(parametersOf("# @option --one[a|b]\n")[0]?.choices)).toBe(true);
		expect(flawsOf("# @arg $\n".repeat(50))).toHaveLength(5);
	});

	it("is read in the time of a test, whatever a stranger's comments are", () => {
		const blanks = " ".repeat(60_000);
		const hostile = [
			`# @option --a <INT${blanks}x>`,
			`# @option -a${blanks}x`,
			`# @option --a${blanks}\u2028`,
			`# @option --a[${"a|".repeat(30_000)}]`,
			`# @option --a=${"'".repeat(60_000)}`,
			`# @option --a <INT> ${"é".repeat(30_000)}`,
			`# @option --a=${"9".repeat(60_000)} <NUM>`,
			"# @arg a\n".repeat(7000),
		];
		for (const text of hostile) declared(text);
	});

	it("comes with the inspection of a file, and describes no script", async () => {
		const text = "#!/bin/bash\n# @option --one The first\n#   of them.\n\n# Counts words.\n";
		const bundle = temporaryBundle({ "a.sh": text, "b.sh": "# Says.\n", "c.sh": "# @flag v\n" });
		expect(await inspectScript(join(bundle, "a.sh"))).toMatchObject({ description: "Counts words.", declaration: { ok: true } });
		expect(await inspectScript(join(bundle, "b.sh"))).not.toHaveProperty("declaration");
		expect(await inspectScript(join(bundle, "c.sh"))).toMatchObject({ description: "c", declaration: { ok: false, flaws: [{ line: 1 }] } });
	});
});

describe("@describe", () => {
	it.each([
		["# @describe Counts words\n#  in files.\n# @option --a\n", "Counts words in files."],
		["# Copyright x\n# Older words.\n#\n# @describe Counts words.\n", "Counts words."],
		["# Counts words.\n# @flag --a Not this.\n", "Counts words."],
		["# @flag --a Not this.\n# nor this\n", "tool"],
		["# @flags --a Not this.\n# nor this\n", "tool"],
		["# @arg {string} a JSDoc's stays as it was\n", "@arg {string} a JSDoc's stays as it was"],
	])("%j says %j", (text, description) => {
		expect(describeScript("tool.sh", Buffer.from(text))).toBe(description);
	});
});
