import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { type File, temporaryBundle } from "../script/bundle.js";

afterEach(() => {
	reloadConfig();
});

const MINIMAL = "---\nname: a\ndescription: b\n---\n";

const load = (text: string, files: Readonly<Record<string, File>> = {}): Promise<AgentSkill> =>
	AgentSkill.load(join(temporaryBundle({ "a/SKILL.md": text, ...files }), "a", "SKILL.md"));

/** The ConfigurationError that loading this path ends in. */
async function refusal(path: unknown): Promise<ConfigurationError> {
	const error: unknown = await AgentSkill.load(path as string).then(
		() => new Error("it was loaded"),
		(reason: unknown) => reason,
	);
	if (!ConfigurationError.isInstance(error)) throw error;
	return error;
}
const refused = async (text: string | Uint8Array): Promise<ConfigurationError> =>
	refusal(join(temporaryBundle({ "SKILL.md": text }), "SKILL.md"));

describe("AgentSkill.load()", () => {
	it("reads everything a SKILL.md says", async () => {
		const bundle = temporaryBundle({
			"check/SKILL.md":
				"---\nname: check\ndescription: >\n  Checks\n  things.\nlicense: MIT\ncompatibility: Needs git\n" +
				"metadata: {author: me, tags: [x]}\nallowed-tools: Bash(git add:*) Read\n" +
				"fs_read: ./data\nfs_write: [./out]\nnetwork: yes\ntimeout: 5\ntrust: core\n---\n\n# Check\n\nDo it.\n",
		});
		configure({ sandbox: { trustCore: [bundle] } });
		const skill = await AgentSkill.load(join(bundle, "check", "SKILL.md"));
		expect(skill).toMatchObject({
			name: "check",
			description: "Checks things.",
			path: join(bundle, "check"),
			instructions: "# Check\n\nDo it.",
			license: "MIT",
			compatibility: "Needs git",
			allowedTools: ["Bash(git add:*)", "Read"],
			capabilities: { fsRead: ["./data"], fsWrite: ["./out"], network: true, timeout: 5, trust: "core" },
		});
		expect({ ...skill.metadata }).toEqual({ author: "me", tags: ["x"] });
		expect(await skill.diagnostics()).toEqual([]);
	});

	it("has nothing where a SKILL.md says nothing", async () => {
		const skill = await load(MINIMAL);
		expect(skill).toMatchObject({
			instructions: "",
			allowedTools: [],
			capabilities: { fsRead: [], network: false, timeout: 60, trust: "external" },
		});
		expect(Object.keys(skill.metadata)).toEqual([]);
		expect("license" in skill || "compatibility" in skill).toBe(false);
		expect([await skill.scripts(), await skill.scriptTools(), await skill.diagnostics()]).toEqual([[], [], []]);
	});

	it("is immutable to the bottom", async () => {
		const skill = await load("---\nname: a\ndescription: b\nmetadata: {x: {y: [1]}}\nallowed-tools: [Read]\n---\n");
		const { metadata, allowedTools, capabilities } = skill;
		const x = metadata.x as { y: unknown };
		for (const part of [skill, metadata, x, x.y, allowedTools, capabilities, await skill.scripts(), await skill.scriptTools()]) {
			expect(Object.isFrozen(part)).toBe(true);
		}
	});

	it("takes a file URL, a path relative to the host's directory, and ~", async () => {
		const bundle = temporaryBundle({ "SKILL.md": MINIMAL });
		expect((await AgentSkill.load(pathToFileURL(join(bundle, "SKILL.md")))).path).toBe(bundle);
		const home = process.cwd();
		process.chdir(bundle);
		const relative = await AgentSkill.load("SKILL.md").finally(() => process.chdir(home));
		expect(relative.path).toBe(bundle);
		expect((await refusal("~/no-such-skill/SKILL.md")).message).toContain(join(homedir(), "no-such-skill"));
	});

	it.each([
		["Read, Write,Bash(ls *)", ["Read", "Write", "Bash(ls *)"]],
		["  Read   Write ", ["Read", "Write"]],
		["[Read, ' Write ', 'Bash(git add:*, git rm:*)']", ["Read", "Write", "Bash(git add:*, git rm:*)"]],
		["''", []],
		["Bash(unclosed x", ["Bash(unclosed x"]],
	])("reads allowed-tools: %s", async (yaml, expected) => {
		expect(
			(
				await load(
					`---\nname: a\ndescription: b\nallowed-tools: ${yaml.startsWith("[") || yaml === "''" ? yaml : JSON.stringify(yaml)}\n---\n`,
				)
			).allowedTools,
		).toEqual(expected);
	});

	it.each<[string, string, RegExp]>([
		["no name", "description: b", /no name.*Add a line "name: …"/],
		["no description", "name: a", /no description/],
		["a blank name", 'name: "  "\ndescription: b', /name is blank/],
		["a blank description", "name: a\ndescription: ''", /description is blank/],
		["an empty name", "name:\ndescription: b", /no name/],
		["a number for a name", "name: 123\ndescription: b", /name is 123, not a text.*quotes/],
		["a boolean for a name", "name: true\ndescription: b", /name is true/],
		["a list for a description", "name: a\ndescription: [b]", /description is a list/],
		["a name with a line break", 'name: "a\\nb"\ndescription: b', /control character/],
		["a name of 201 characters", `name: ${"n".repeat(201)}\ndescription: b`, /has 201 characters, more than 200/],
		["a name with a line separator", 'name: "a\\u2028b"\ndescription: b', /control character/],
		["a name with an escape sequence", 'name: "a\\x1b[31m"\ndescription: b', /control character/],
		["malformed YAML", "name: [", /line \d+ is no valid YAML/],
	])("refuses %s and names the file", async (_, yaml, message) => {
		const error = await refused(`---\n${yaml}\n---\nbody`);
		expect(error.message).toMatch(message);
		expect(error.message).toMatch(/^Cannot load the skill ".*\/SKILL\.md": /);
		expect(error.cause).toBeDefined();
	});

	it("keeps the YAML parser's own error as its cause", async () => {
		expect((await refused("---\nname: [\n---\n")).cause).toMatchObject({ name: "YAMLParseError" });
	});

	it("refuses a file larger than 1 MiB, takes one of exactly 1 MiB", async () => {
		const padded = (size: number): string => MINIMAL + "x".repeat(size - MINIMAL.length);
		expect((await load(padded(1024 * 1024))).instructions).toHaveLength(1024 * 1024 - MINIMAL.length);
		expect((await refused(padded(1024 * 1024 + 1))).message).toMatch(/larger than 1048576 bytes/);
	});

	it("refuses a file of 4 GiB without reading it", async () => {
		const bundle = temporaryBundle();
		execFileSync("truncate", ["-s", "4G", join(bundle, "SKILL.md")]);
		expect((await refusal(join(bundle, "SKILL.md"))).message).toMatch(/larger than 1048576 bytes/);
	});

	it("refuses what is not UTF-8", async () => {
		expect((await refused(Buffer.from(MINIMAL.replace("b\n", "gr\xfc\xdf\n"), "latin1"))).message).toMatch(/not UTF-8/);
		expect((await refused(Buffer.from(MINIMAL, "utf16le"))).message).toMatch(/Cannot load/);
	});

	it("refuses a missing file, a directory, a FIFO without a writer, a device and a loop of links, at once", async () => {
		const bundle = temporaryBundle({ "file/SKILL.md": MINIMAL });
		mkdirSync(join(bundle, "dir", "SKILL.md"), { recursive: true });
		execFileSync("mkfifo", [join(bundle, "fifo")]);
		symlinkSync("loop", join(bundle, "loop"));
		expect((await refusal(join(bundle, "none", "SKILL.md"))).message).toMatch(/no such file/);
		expect((await refusal(join(bundle, "none", "SKILL.md"))).cause).toMatchObject({ code: "ENOENT" });
		expect((await refusal(join(bundle, "file", "SKILL.md", "SKILL.md"))).message).toMatch(/no such file/);
		expect((await refusal(join(bundle, "dir"))).message).toMatch(/not a file.*SKILL\.md itself/);
		expect((await refusal(join(bundle, "dir", "SKILL.md"))).message).toMatch(/not a file/);
		expect((await refusal(join(bundle, "fifo"))).message).toMatch(/not a file/);
		expect((await refusal("/dev/zero")).message).toMatch(/not a file/);
		expect((await refusal(join(bundle, "loop"))).message).toMatch(/leads back to itself/);
	});

	it.skipIf(process.getuid?.() === 0)("refuses a file it may not read (root may read every file)", async () => {
		const bundle = temporaryBundle({ "SKILL.md": { text: MINIMAL, mode: 0o000 } });
		expect((await refusal(join(bundle, "SKILL.md"))).message).toMatch(/may not be read/);
	});

	it.each([undefined, null, 3, "", {}, new URL("https://example.com/SKILL.md"), "a\0b"])(
		"refuses %o with a ConfigurationError",
		async (path) => {
			expect((await refusal(path)).message).toMatch(/^Cannot load (a|the) skill/);
		},
	);

	it.each<[string, string, readonly string[]]>([
		["a name the standard does not have", "name: A_b\ndescription: b", ["name_nonstandard", "name_differs_from_directory"]],
		["a description over 1,024 characters", `name: a\ndescription: ${"b".repeat(1025)}`, ["description_long"]],
		["a malformed grant", "name: a\ndescription: b\nfs_read: [3]\ntimeout: 0", ["capability_malformed", "capability_malformed"]],
		[
			"fields of the wrong kind",
			"name: a\ndescription: b\nlicense: 3\ncompatibility: [x]\nmetadata: x\nallowed-tools: 5",
			Array(4).fill("field_malformed"),
		],
		["allowed tools that are no texts", "name: a\ndescription: b\nallowed-tools: [Read, 5]", ["field_malformed"]],
	])("loads a bundle with %s and says so", async (_, yaml, codes) => {
		const skill = await load(`---\n${yaml}\n---\n`);
		const diagnostics = await skill.diagnostics();
		expect(diagnostics.map(({ code }) => code)).toEqual(codes);
		expect(diagnostics.every(({ severity, path }) => severity === "warning" && path === join(skill.path, "SKILL.md"))).toBe(true);
	});
});

describe("AgentSkill scripts", () => {
	it("scripts() lists the files directly in scripts/, links to files too, sorted and absolute", async () => {
		const skill = await load(MINIMAL, {
			"a/scripts/b.sh": "echo",
			"a/scripts/a.json": "{}",
			"a/scripts/C.py": "1",
			"a/scripts/deep/x.sh": "echo",
		});
		const scripts = join(skill.path, "scripts");
		symlinkSync("b.sh", join(scripts, "link.sh"));
		symlinkSync("deep", join(scripts, "linked-dir"));
		symlinkSync("nowhere", join(scripts, "dangling.sh"));
		mkdirSync(join(scripts, "dir.sh"));
		execFileSync("mkfifo", [join(scripts, "fifo.sh")]);
		expect(await skill.scripts()).toEqual(["C.py", "a.json", "b.sh", "link.sh"].map((name) => join(scripts, name)));
		expect(await skill.scripts()).toBe(await skill.scripts());
	});

	it("has no scripts where scripts is a file", async () => {
		const skill = await load(MINIMAL, { "a/scripts": "echo" });
		expect([await skill.scripts(), await skill.diagnostics()]).toEqual([[], []]);
	});

	it("says so when scripts/ cannot be listed", async () => {
		const skill = await load(MINIMAL);
		symlinkSync("scripts", join(skill.path, "scripts"));
		expect(await skill.scripts()).toEqual([]);
		expect(await skill.scriptTools()).toEqual([]);
		expect(await skill.diagnostics()).toMatchObject([{ severity: "error", code: "scripts_unreadable", path: join(skill.path, "scripts") }]);
	});

	it("scriptTools() makes a tool of every runnable script and carries the bundle and its capabilities", async () => {
		const skill = await load("---\nname: a\ndescription: b\nnetwork: true\n---\n", {
			"a/scripts/where.sh": '# Says where.\necho "$SKILL_DIR"; echo "$1"',
			"a/scripts/data.json": "{}",
			"a/scripts/__init__.py": "# init",
			"a/scripts/.hidden.sh": "echo",
			"a/scripts/plain.py": { text: "print(1)", mode: 0o644 },
		});
		const tools = await skill.scriptTools();
		expect(tools.map(({ name, description }) => [name, description])).toEqual([["where", "Says where."]]);
		expect(await tools[0]?.execute({ args: ["x y"] }, {})).toBe(`${skill.path}\nx y\n`);
		expect(await skill.diagnostics()).toMatchObject([
			{
				severity: "warning",
				code: "script_not_executable",
				path: join(skill.path, "scripts", "plain.py"),
				message: expect.stringContaining("chmod +x"),
			},
		]);
		expect(await skill.scriptTools()).toBe(tools);
	});

	it("scriptTools() parts scripts whose names clash", async () => {
		const skill = await load(MINIMAL, {
			"a/scripts/check.sh": "echo sh",
			"a/scripts/check.py": "print('py')",
			"a/scripts/run": "echo run",
		});
		const tools = await skill.scriptTools();
		expect(tools.map(({ name }) => name)).toEqual(["check_py", "check_sh", "run"]);
		expect(await Promise.all(tools.map((tool) => tool.execute({}, {})))).toEqual(["py\n", "sh\n", "run\n"]);
	});

	it("scriptTools() follows scripts.requireExecutable", async () => {
		const skill = await load(MINIMAL, { "a/scripts/a.py": { text: "print(1)", mode: 0o644 } });
		expect(await skill.scriptTools()).toEqual([]);
		configure({ scripts: { requireExecutable: false } });
		expect((await skill.scriptTools()).map(({ name }) => name)).toEqual(["a"]);
		expect(await skill.diagnostics()).toEqual([]);
	});

	it("a script that is deleted or loses its bit after it was found is a refusal that the model can read", async () => {
		const skill = await load(MINIMAL, { "a/scripts/a.sh": "echo", "a/scripts/b.sh": "echo" });
		const [a, b] = await skill.scriptTools();
		rmSync(join(skill.path, "scripts", "a.sh"));
		chmodSync(join(skill.path, "scripts", "b.sh"), 0o644);
		expect(await a?.execute({}, {})).toMatch(/^Error \(not run: script_missing\)/);
		expect(await b?.execute({}, {})).toMatch(/^Error \(not run: script_not_executable\)/);
	});

	it("reads a bundle once: later changes on disk are not seen", async () => {
		const skill = await load(MINIMAL, { "a/scripts/a.sh": "echo" });
		await skill.scripts();
		writeFileSync(join(skill.path, "scripts", "b.sh"), "echo", { mode: 0o755 });
		expect(await skill.scripts()).toHaveLength(1);
	});
});
