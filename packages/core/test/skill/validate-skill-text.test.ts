import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import type { SkillDiagnostic } from "../../src/skill/skill-diagnostic.js";
import { validateSkillText } from "../../src/skill/validate-skill.js";

const text = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\n\n# Body\n`;
const shown = ({ severity, code, line }: SkillDiagnostic): string => `${severity} ${code} ${line ?? "-"}`;

async function strict(lines: readonly string[], directoryName?: string): Promise<readonly string[]> {
	return (await validateSkillText(text(...lines), { validation: "strict", ...(directoryName !== undefined && { directoryName }) })).map(
		shown,
	);
}
async function lenient(lines: readonly string[], directoryName?: string): Promise<readonly string[]> {
	return (await validateSkillText(text(...lines), { validation: "lenient", ...(directoryName !== undefined && { directoryName }) })).map(
		shown,
	);
}

const NAMED = ["name: a", "description: b"];
const named = (name: string): readonly string[] => [`name: ${name}`, "description: b"];

describe("validateSkillText() on what the standard has", () => {
	it("has nothing to say in either mode of a skill with every field", async () => {
		const all = [
			"name: pdf-processing",
			"description: Extracts text. Use it for PDFs.",
			"license: Apache-2.0",
			"compatibility: Needs git and jq",
			"metadata:",
			"  author: example-org",
			'  version: "1.0"',
			"allowed-tools: Bash(git:*) Bash(jq:*) Read",
		];
		expect([await strict(all, "pdf-processing"), await lenient(all, "pdf-processing")]).toEqual([[], []]);
	});

	it.each(["a", "a-b", "a1", "1a", "技能", "мой-навык", "навык", "cafe\u0301", "x".repeat(64), "ﬁle", "²"])(
		"takes the name %s in a directory of that name",
		async (name) => {
			expect(await strict(named(JSON.stringify(name)), name)).toEqual([]);
			expect(await strict(named(JSON.stringify(name)), name.normalize("NFKC"))).toEqual([]);
		},
	);

	it.each(["A", "a_b", "a b", "-a", "a-", "a--b", "НАВЫК", "a.b", "a/b", "x".repeat(65), "😀", "a:b", "नमस्ते"])(
		"refuses the name %s where the standard counts, and warns where it is taken as it is",
		async (name) => {
			expect(await strict(named(JSON.stringify(name)), name)).toEqual(["error name_nonstandard 2"]);
			expect(await lenient(named(JSON.stringify(name)), name)).toEqual(["warning name_nonstandard 2"]);
		},
	);

	it("says every flaw of a name, and how to write it", async () => {
		const [first] = await validateSkillText(text(...named('"-Ahrefs  Automation_"')), { validation: "strict" });
		expect(first?.message).toMatch(
			/capital letters, begins or ends with a hyphen, has other characters.*Write it as "ahrefs-automation"\./,
		);
		const [other] = await validateSkillText(text(...named('"!!!"')), { validation: "strict" });
		expect(other?.message).toMatch(/Give it another one\.$/);
	});

	it("compares the name with that of the directory, composed, and only where one is known", async () => {
		expect(await strict(NAMED, "b")).toEqual(["error name_differs_from_directory 2"]);
		expect(await lenient(NAMED, "b")).toEqual(["warning name_differs_from_directory 2"]);
		expect(await strict(NAMED)).toEqual([]);
		expect(await strict(named("café"), "cafe\u0301")).toEqual([]);
	});

	it.each<[string, readonly string[], readonly string[], readonly string[]]>([
		["no name", ["description: b"], ["error name_missing 1"], ["error name_missing 1"]],
		["no description", ["name: a"], ["error description_missing 1"], ["error description_missing 1"]],
		["a blank description", ["name: a", "description: '  '"], ["error description_missing 3"], ["error description_missing 3"]],
		["a description without a value", ["name: a", "description:"], ["error description_missing 3"], ["error description_missing 3"]],
		["a name that is a number", ["name: 5", "description: b"], ["error field_malformed 2"], ["error field_malformed 2"]],
		["a name with a line break", ['name: "a\\nb"', "description: b"], ["error name_unusable 2"], ["error name_unusable 2"]],
		[
			"neither name nor description",
			["license: MIT"],
			["error name_missing 1", "error description_missing 1"],
			["error name_missing 1", "error description_missing 1"],
		],
		["a long description", ["name: a", `description: ${"b".repeat(1025)}`], ["error description_long 3"], ["warning description_long 3"]],
		["a description of 1,024 emojis", ["name: a", `description: x${"😀".repeat(1023)}`], [], []],
		[
			"a long compatibility",
			[...NAMED, `compatibility: ${"c".repeat(501)}`],
			["error compatibility_long 4"],
			["warning compatibility_long 4"],
		],
		["a compatibility of 500", [...NAMED, `compatibility: ${"c".repeat(500)}`], [], []],
		["a blank compatibility", [...NAMED, "compatibility: ''"], ["error field_malformed 4"], []],
		[
			"fields without values",
			[...NAMED, "license:", "compatibility:", "metadata:", "allowed-tools:"],
			[4, 5, 6, 7].map((line) => `error field_malformed ${line}`),
			[],
		],
		["a license that is a number", [...NAMED, "license: 3"], ["error field_malformed 4"], ["warning field_malformed 4"]],
		["a compatibility that is a list", [...NAMED, "compatibility: [x]"], ["error field_malformed 4"], ["warning field_malformed 4"]],
		["metadata that is a text", [...NAMED, "metadata: x"], ["error field_malformed 4"], ["warning field_malformed 4"]],
		[
			"metadata with other values than texts",
			[...NAMED, "metadata:", "  a: x", "  b: 1.0", "  c: true", "  d: [x]"],
			["error field_malformed 6", "error field_malformed 7", "error field_malformed 8"],
			[],
		],
		["a list of tools", [...NAMED, "allowed-tools: [Read, Write]"], ["error field_malformed 4"], []],
		[
			"a list of tools with a number",
			[...NAMED, "allowed-tools:", "  - Read", "  - 5"],
			["error field_malformed 4"],
			["warning field_malformed 4"],
		],
		["tools with commas", [...NAMED, "allowed-tools: Read, Bash(a, b), Write"], ["warning field_malformed 4"], []],
		["a comma within a tool", [...NAMED, "allowed-tools: Bash(a, b) Read"], [], []],
		["a field of another client", [...NAMED, "argument-hint: x"], ["error field_unknown 4"], []],
		[
			"mistyped keys of metadata",
			[...NAMED, "metadata:", "  robot-lab.fs_reed: .", "  fs_write: .", "  robot-lab.fs_read: .", "  author: me"],
			["warning field_unknown 5", "warning field_unknown 6"],
			["warning field_unknown 5", "warning field_unknown 6"],
		],
		["a mistyped field", [...NAMED, "allowed_tools: Read"], ["error field_unknown 4"], ["warning field_unknown 4"]],
		[
			"__proto__ and constructor as fields",
			[...NAMED, "__proto__: x", "constructor: y"],
			["error field_unknown 4", "error field_unknown 5"],
			[],
		],
		["our own fields", [...NAMED, 'fs_read: ["."]', "network: false"], ["warning field_extension 4", "warning field_extension 5"], []],
		[
			"a grant that is malformed",
			[...NAMED, "timeout: soon"],
			["warning field_extension 4", "warning capability_malformed 4"],
			["warning capability_malformed 4"],
		],
	])("says of %s", async (_, lines, ifStrict, ifLenient) => {
		expect({ strict: await strict(lines), lenient: await lenient(lines) }).toEqual({ strict: ifStrict, lenient: ifLenient });
	});

	it("warns in strict of a body that a model should not be given whole", async () => {
		const body = (lines: number): string => `${text(...NAMED)}${"x\n".repeat(lines)}`;
		expect((await validateSkillText(body(600), { validation: "strict" })).map(shown)).toEqual(["warning body_long -"]);
		expect(await validateSkillText(body(490), { validation: "strict" })).toEqual([]);
		expect(await validateSkillText(body(600), { validation: "lenient" })).toEqual([]);
	});

	it("says how our own fields are written so that other clients read the bundle, and has nothing against them there", async () => {
		const own = await validateSkillText(text(...NAMED, 'fs_read: ["."]', "limits: {memory_mb: 5}"), { validation: "strict" });
		expect(own.map(({ message }) => message)).toEqual([
			expect.stringContaining("in metadata as robot-lab.fs_read, one path a line"),
			expect.stringContaining("in metadata as robot-lab.limits.memory_mb"),
		]);
		const moved = [...NAMED, "metadata:", "  robot-lab.fs_read: .", '  robot-lab.limits.memory_mb: "5"'];
		expect(await strict(moved)).toEqual([]);
	});
});

it("validateSkillText() names a malformed field of metadata as it is written there", async () => {
	const found = await validateSkillText(text(...NAMED, "metadata:", "  robot-lab.timeout: 20s", "  robot-lab.network: perhaps"));
	expect(found.map(({ line, message }) => [line, message.split(" ")[0]])).toEqual([
		[5, "robot-lab.timeout:"],
		[6, "robot-lab.network:"],
	]);
});

describe("validateSkillText() on what is no front matter", () => {
	it.each<[string, string, string]>([
		["nothing", "", "front_matter_missing 1"],
		["no fences", "# Title\n", "front_matter_missing 1"],
		["one fence", "---\nname: a\n", "front_matter_unclosed 1"],
		["code", "---js\n{}\n---\n", "front_matter_language 1"],
		["too much of it", text(`x: ${"y".repeat(70_000)}`), "front_matter_too_long 1"],
		["malformed YAML", text("name: a", "description: [b"), "yaml_invalid 3"],
		["a doubled key", text("name: a", "description: b", "name: c"), "yaml_invalid 4"],
		["a tab", text("name: a", "metadata:", "\tx: y"), "yaml_invalid 4"],
		["a list", text("- a"), "yaml_invalid -"],
	])("says of %s", async (_, content, expected) => {
		for (const mode of ["strict", "lenient"] as const) {
			expect((await validateSkillText(content, { validation: mode })).map(shown)).toEqual([`error ${expected}`]);
		}
	});

	it.each<[string, string]>([
		["CRLF", "---\r\nname: a\r\ndescription: b\r\n---\r\nbody\r\n"],
		["a byte order mark", `\ufeff${text(...NAMED)}`],
		["its end right behind the closing fence", "---\nname: a\ndescription: b\n---"],
		["a rule in the body", `${text(...NAMED)}\n---\n\nmore\n`],
	])("has nothing against %s", async (_, content) => {
		expect(await validateSkillText(content, { validation: "strict", directoryName: "a" })).toEqual([]);
	});
});

describe("validateSkillText() on an unquoted value", () => {
	it("reads it as if it had quotes where lenient, says so with its line, and refuses it where strict", async () => {
		const lines = ["name: a", "description: Use when: the user asks", "license: MIT: or not"];
		expect(await lenient(lines)).toEqual(["warning value_unquoted 3", "warning value_unquoted 4"]);
		expect(await strict(lines)).toEqual(["error yaml_invalid 3"]);
		const [first] = await validateSkillText(text(...lines), { validation: "strict" });
		expect(first?.message).toMatch(/Put a value that contains ": " in quotes/);
	});
});

describe("validateSkillText() as it is called", () => {
	it("has a path that says what it is about, and diagnostics that nobody can change", async () => {
		const found = await validateSkillText("", { directoryName: "a" });
		expect(found[0]).toMatchObject({ path: "a/SKILL.md", message: expect.stringMatching(/^It has no front matter/) });
		expect((await validateSkillText(""))[0]?.path).toBe("SKILL.md");
		expect(Object.isFrozen(found) && Object.isFrozen(found[0])).toBe(true);
	});

	it.each<[string, unknown, unknown]>([
		["no text", undefined, {}],
		["bytes", new Uint8Array(3), {}],
		["an unknown way of validation", "", { validation: "loose" }],
		["an unknown option", "", { strict: true }],
		["options that are none", "", "strict"],
		["a directory that is no text", "", { directoryName: 5 }],
	])("refuses %s with a ConfigurationError", async (_, given, options) => {
		const error: unknown = await validateSkillText(given as string, options as object).catch((reason: unknown) => reason);
		expect(ConfigurationError.isInstance(error)).toBe(true);
	});

	it("never rejects for what a text says, and every diagnostic is one line with a fix or a reason", async () => {
		const piece = fc.constantFrom(
			"---",
			"\n",
			"name: ",
			"description: ",
			"metadata:",
			"  ",
			"a",
			": ",
			"robot-lab.network: ",
			"yes",
			"[",
			"'",
			'"',
			"&x ",
			"*x",
			"!t ",
			"|\n",
			"\t",
			"\0",
			"\ud800",
			"fs_read: ",
			"# ",
			"😀",
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.constantFrom("strict" as const, "lenient" as const), async (pieces, mode) => {
				for (const { message, code, line } of await validateSkillText(`---\n${pieces.join("")}\n---\n`, {
					validation: mode,
					directoryName: "a",
				})) {
					expect(message).not.toMatch(/[\r\n]/);
					expect(message.length).toBeGreaterThan(20);
					expect(code).toMatch(/^[a-z_]+$/);
					expect(line === undefined || line >= 1).toBe(true);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
