import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { type File, temporaryBundle } from "./bundle.js";

afterEach(() => {
	vi.unstubAllEnvs();
	reloadConfig();
});

const NETWORK = "---\nname: a\ndescription: b\nnetwork: true\n---\n";
const METADATA =
	'# /// script\n# requires-python = ">=3.11"\n# dependencies = ["rich>=13"]\n# ///\n"""Prints a table."""\nprint("plain python")\n';

const load = (files: Readonly<Record<string, File>>, text = "---\nname: a\ndescription: b\n---\n"): Promise<AgentSkill> =>
	AgentSkill.load(join(temporaryBundle({ "a/SKILL.md": text, ...files }), "a", "SKILL.md"));

/** A directory in front of PATH, or instead of it, with these programs. */
function programs(files: Readonly<Record<string, string>>, rest = process.env.PATH ?? ""): void {
	const directory = temporaryBundle(files);
	vi.stubEnv("PATH", rest === "" ? directory : `${directory}:${rest}`);
}

async function run(skill: AgentSkill, args: readonly string[] = []): Promise<string> {
	const [tool] = await skill.scriptTools();
	return String(await tool?.execute({ args }, {}));
}

const needs = async (skill: AgentSkill): Promise<readonly (readonly string[])[]> =>
	(await skill.diagnostics()).map(({ code, message }) => [code, message]);

describe("an interpreter that is missing", () => {
	it.each([
		["a.py", "print(1)", /"python3".*Install Python 3, or put/],
		["a.sh", "echo", /"bash".*Install bash, or put its directory on PATH\.$/],
		["a.zsh", "echo", /"zsh".*Install zsh/],
		["a.mjs", "1", /"node".*Install Node\.js/],
		["a.ts", "1", /"node".*Install Node\.js/],
		["a.rb", "1", /"ruby".*Install ruby/],
		["a.pl", "1", /"perl".*Install perl/],
		["a.ps1", "1", /"pwsh".*"a\.ps1" needs.*Install PowerShell 7/],
		["a", "#!/usr/bin/env python\n1", /"python".*only python3: change the script's first line/],
		["a", "#!/opt/none/ruby\n1", /"\/opt\/none\/ruby".*change the script's first line/],
	])("of %s with %j is named with the next step, at run time and in the diagnostics", async (name, text, message) => {
		const skill = await load({ [`a/scripts/${name}`]: text });
		programs({}, "");
		expect(await run(skill, ["x"])).toMatch(/^Error \(not run: interpreter_missing\)/);
		expect(await run(skill)).toMatch(message);
		expect(await needs(skill)).toEqual([["interpreter_missing", expect.stringContaining(`${name} needs "`)]]);
	});

	it("is said once for all scripts that need it, and not at all when it is there", async () => {
		const skill = await load({ "a/scripts/a.rb": "1", "a/scripts/b.rb": "2", "a/scripts/c.rb": "3", "a/scripts/d.sh": "echo" });
		expect(await needs(skill)).toEqual([
			["interpreter_missing", 'a.rb and 2 more need "ruby", which is not on PATH. Install ruby, or put its directory on PATH.'],
		]);
		programs({ ruby: "#!/bin/sh\n" });
		expect(await needs(skill)).toEqual([]);
	});
});

describe("a TypeScript file", () => {
	const TYPED = "const word: string = 'typed';\nconsole.log(word, process.argv[2] as string);\n";

	it("is run by a node that leaves types out", async () => {
		const skill = await load({ "a/scripts/a.ts": TYPED, "a/scripts/b.ts": `#!/usr/bin/env node\n${TYPED}` });
		expect(await needs(skill)).toEqual([]);
		for (const tool of await skill.scriptTools()) expect(await tool.execute({ args: ["x"] }, {})).toBe("typed x\n");
	});

	it.each([
		["v20.20.2", true],
		["v22.17.1", true],
		["v22.18.0", false],
		["v23.5.0", true],
		["v24.0.0", false],
	])("under node %s: too old is %s, and said before anything runs", async (version, isTooOld) => {
		const skill = await load({ "a/scripts/a.ts": TYPED });
		programs({ node: `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "ran $#"\n` });
		if (!isTooOld) {
			expect(await run(skill)).toBe("ran 1\n");
			return;
		}
		const said = new RegExp(
			`TypeScript, which node runs from 22\\.18 on, and the node on PATH is ${version.slice(1).replaceAll(".", "\\.")}\\.`,
		);
		expect(await run(skill)).toMatch(/^Error \(not run: interpreter_too_old\)/);
		expect(await run(skill)).toMatch(said);
		expect(await needs(skill)).toEqual([["interpreter_too_old", expect.stringMatching(said)]]);
	});

	it.each(["a.TS", "a.Mts", "a.MJS"])(
		"called %s is none to node, which is said before anything runs; other interpreters look at no name",
		async (name) => {
			const skill = await load({ [`a/scripts/${name}`]: TYPED, "a/scripts/b.PY": "print('ran')\n" });
			const said = /node knows its extension in small letters alone\. Rename it: \.(ts|mts|mjs) in the place of /;
			expect(await needs(skill)).toEqual([["script_misnamed", expect.stringMatching(said)]]);
			const [misnamed, python] = await skill.scriptTools();
			expect(await misnamed?.execute({}, {})).toMatch(new RegExp(`^Error \\(not run: script_misnamed\\): ${said.source}`));
			expect(await python?.execute({}, {})).toBe("ran\n");
		},
	);

	it("is left to a node that is given options by its first line, and to one that does not say its version", async () => {
		const options = await load({ "a/scripts/a.ts": `#!/usr/bin/env -S node --import=tsx\n${TYPED}` });
		programs({ node: '#!/bin/sh\n[ "$1" = --version ] && exit 1 || echo "ran $1"\n' });
		expect(await run(options)).toBe("ran --import=tsx\n");
		expect(await run(await load({ "a/scripts/a.ts": TYPED }))).toMatch(/^ran .*a\.ts\n$/);
	});
});

describe("a Python script that declares its dependencies", () => {
	const UV = '#!/bin/sh\necho "uv $*"\n';

	it("runs as every other, and a diagnostic names what it needs", async () => {
		const skill = await load({ "a/scripts/a.py": METADATA });
		expect(await run(skill)).toBe("plain python\n");
		expect(await needs(skill)).toEqual([
			[
				"script_dependencies",
				'a.py: It needs "Python >=3.11", "rich>=13", which nobody installs for it. Install it, or set scripts.pep723 to "uv".',
			],
		]);
	});

	it("is started by uv where the configuration says so and the network is granted, with its arguments behind it", async () => {
		configure({ scripts: { pep723: "uv" }, sandbox: { network: true } });
		programs({ uv: UV });
		const skill = await load({ "a/scripts/a.py": `#!/usr/bin/env python3\n${METADATA}` }, NETWORK);
		expect(await run(skill, ["--x", "y z"])).toBe(`uv run --script ${join(skill.path, "scripts", "a.py")} --x y z\n`);
		expect(await needs(skill)).toEqual([]);
	});

	it.each([
		["does not declare the network", "---\nname: a\ndescription: b\n---\n", true, /Declare network: true in its SKILL\.md/],
		["is not granted it", NETWORK, false, /Set sandbox\.network to true/],
	])("is refused where uv is to start it and the bundle %s", async (_, text, network, step) => {
		configure({ scripts: { pep723: "uv" }, sandbox: { network } });
		programs({ uv: UV });
		const skill = await load({ "a/scripts/a.py": METADATA }, text);
		expect(await run(skill)).toMatch(/^Error \(not run: network_not_granted\)/);
		expect(await run(skill)).toMatch(step);
		expect(await needs(skill)).toEqual([["network_not_granted", expect.stringMatching(step)]]);
	});

	it.each(["nice uv run --script", "/opt/bin/uvx --from x y", "uv run"])(
		"is refused without the network where its first line has %s start it",
		async (words) => {
			configure({ scripts: { pep723: "uv" }, sandbox: { network: false } });
			programs({ uv: UV, nice: "#!/bin/sh\necho nice\n" });
			const skill = await load({ "a/scripts/a.py": `#!/usr/bin/env -S ${words}\n${METADATA}` }, NETWORK);
			expect(await run(skill)).toMatch(/^Error \(not run: network_not_granted\)/);
		},
	);

	it("is refused where uv is to start it and there is none; python does not run it instead", async () => {
		configure({ scripts: { pep723: "uv" }, sandbox: { network: true } });
		programs({}, "/usr/bin:/bin");
		const skill = await load({ "a/scripts/a.py": METADATA }, NETWORK);
		expect(await run(skill)).toMatch(/^Error \(not run: interpreter_missing\): .*"uv".*"a\.py" needs\. Install uv/);
		expect(await needs(skill)).toEqual([["interpreter_missing", expect.stringContaining('a.py needs "uv"')]]);
	});

	it("is left to python where its block cannot be read, which is said", async () => {
		configure({ scripts: { pep723: "uv" } });
		const skill = await load({ "a/scripts/a.py": "# /// script\n# dependencies = [x]\n# ///\nprint('plain python')\n" });
		expect(await run(skill)).toBe("plain python\n");
		expect(await needs(skill)).toEqual([["script_metadata_malformed", expect.stringMatching(/^a\.py: .*is no TOML.*Mend it\.$/)]]);
	});

	it("keeps the way that its first line names, and other scripts keep theirs", async () => {
		configure({ scripts: { pep723: "uv" }, sandbox: { network: true } });
		programs({ uv: UV });
		const skill = await load(
			{
				"a/scripts/a.py": `#!/usr/bin/env -S uv run -q\n${METADATA}`,
				"a/scripts/b.py": "print('b')",
				"a/scripts/c.sh": `${METADATA}\necho c`,
			},
			NETWORK,
		);
		const [a, b, c] = await skill.scriptTools();
		expect(await a?.execute({}, {})).toMatch(/^uv run -q .*a\.py\n$/);
		expect(await b?.execute({}, {})).toBe("b\n");
		expect(c?.description).toBe("c");
	});
});

describe("what a script finds around it", () => {
	it("its bundle under the name of other agents, too", async () => {
		const skill = await load({ "a/scripts/a.sh": 'echo "$CLAUDE_SKILL_DIR"\n' });
		expect(await run(skill)).toBe(`${skill.path}\n`);
	});

	it("modules beside it, wherever it is started, and leaves nothing compiled in its bundle", async () => {
		vi.stubEnv("PYTHONDONTWRITEBYTECODE", undefined);
		onTestFinished(() => void vi.unstubAllEnvs());
		const skill = await load({
			"a/scripts/a.py": "from utils import word\nfrom office.pack import more\nprint(word, more)\n",
			"a/scripts/utils.py": { text: "word = 'found'\n", mode: 0o644 },
			"a/scripts/office/pack.py": { text: "more = 'deeper'\n", mode: 0o644 },
		});
		expect((await skill.scriptTools()).map(({ name }) => name)).toEqual(["a"]);
		expect(await skill.diagnostics()).toEqual([]);
		expect(await run(skill)).toBe("found deeper\n");
		expect((await readdir(skill.path, { recursive: true })).filter((name) => name.includes("pycache"))).toEqual([]);
	});
});

describe("scripts in directories below scripts/", () => {
	const FILES: Readonly<Record<string, File>> = {
		"a/scripts/pack.py": "print('pack')",
		"a/scripts/office_pack.sh": "echo direct",
		"a/scripts/office/pack.py": "# Packs.\nprint('office pack')",
		"a/scripts/office/unpack.py": { text: "#!/usr/bin/env python3\nprint(1)", mode: 0o644 },
		"a/scripts/office/helpers/__init__.py": "",
		"a/scripts/office/helpers/merge.py": { text: "def merge(): ...\n", mode: 0o644 },
		"a/scripts/office/helpers/common.sh": { text: "f() { :; }\n", mode: 0o644 },
		"a/scripts/office/schemas/a.xsd": "<x/>",
		"a/scripts/office/tests/test_pack.py": "print(1)",
		"a/scripts/.hidden/a.sh": "echo",
		"a/scripts/node_modules/x/a.js": "1",
	};
	const names = async (skill: AgentSkill): Promise<readonly string[]> => (await skill.scriptTools()).map(({ name }) => name);

	it("are no tools unless somebody asks for them", async () => {
		const skill = await load(FILES);
		expect(await names(skill)).toEqual(["office_pack", "pack"]);
	});

	it("are named by their path, change no other name, and run", async () => {
		const skill = await load(FILES);
		configure({ scripts: { nested: true, requireExecutable: false } });
		expect(await names(skill)).toEqual(["office_pack", "pack", "office_pack_py", "office_unpack"]);
		const [direct, , nested] = await skill.scriptTools();
		expect([await direct?.execute({}, {}), await nested?.execute({}, {})]).toEqual(["direct\n", "office pack\n"]);
		expect((await skill.scripts()).map((path) => path.slice(skill.path.length))).toEqual(["/scripts/office_pack.sh", "/scripts/pack.py"]);
		expect((await skill.inspectScripts()).map(({ kind }) => kind)).toEqual([
			"script",
			"script",
			"other",
			"unusable",
			"other",
			"script",
			"other",
			"script",
		]);
		expect(await needs(skill)).toEqual([
			[
				"script_not_executable",
				expect.stringMatching(/^common\.sh is not executable and is no tool\. Run: chmod \+x .* begin it with a line/),
			],
		]);
	});

	it("are looked for four directories deep, and what lies deeper is told of", async () => {
		const skill = await load({ "a/scripts/1/2/3/4/a.sh": "echo", "a/scripts/1/2/3/4/5/b.sh": "echo" });
		expect(await skill.diagnostics()).toEqual([]);
		configure({ scripts: { nested: true } });
		expect(await names(skill)).toEqual(["1_2_3_4_a"]);
		expect(await needs(skill)).toEqual([["scripts_not_all", expect.stringContaining("not looked at")]]);
	});

	it("are two thousand at most", async () => {
		const skill = await load({});
		const directory = join(skill.path, "scripts", "many");
		mkdirSync(directory, { recursive: true });
		for (let number = 0; number < 2_001; number++) writeFileSync(join(directory, `${number}.txt`), "");
		configure({ scripts: { nested: true } });
		expect(await skill.inspectScripts()).toHaveLength(2_000);
		expect(await needs(skill)).toEqual([["scripts_not_all", expect.stringContaining("not looked at")]]);
	});

	it("part names that clash the same way each time", async () => {
		const skill = await load({
			"a/scripts/b/c_d.sh": "echo",
			"a/scripts/b_c/d.sh": "echo",
			"a/scripts/b_c/d.py": "print(1)",
			"a/scripts/b/ü.sh": "echo",
		});
		configure({ scripts: { nested: true } });
		expect(await names(skill)).toEqual(["b_c_d_sh", "b", "b_c_d_py", "b_c_d_sh_2"]);
	});

	it.each([false, true])("are no tools where they are links that lead out of the bundle (nested: %s)", async (nested) => {
		configure({ scripts: { nested } });
		const skill = await load({ "a/lib/inside.sh": "echo inside", "outside.sh": "echo outside", "b/c.sh": "echo c" });
		const scripts = join(skill.path, "scripts");
		mkdirSync(join(scripts, "deep"), { recursive: true });
		for (const directory of [scripts, join(scripts, "deep")]) {
			symlinkSync(join(skill.path, "lib", "inside.sh"), join(directory, "inside.sh"));
			symlinkSync(join(skill.path, "..", "outside.sh"), join(directory, "outside.sh"));
			symlinkSync(join(skill.path, "..", "b"), join(directory, "linked"));
		}
		expect(await names(skill)).toEqual(nested ? ["inside", "deep_inside"] : ["inside"]);
		expect(await run(skill)).toBe("inside\n");
		const said = (await skill.diagnostics()).map(({ code, path, message }) => [code, path.slice(scripts.length), message]);
		const outside = expect.stringContaining("leads out of the bundle");
		expect(said).toEqual(
			(nested ? ["/outside.sh", "/deep/outside.sh"] : ["/outside.sh"]).map((path) => ["script_outside_bundle", path, outside]),
		);
	});

	it("are not run once they are such links, however they were called and wherever the bundle lies", async () => {
		const bundle = temporaryBundle({
			"outside.sh": "echo outside",
			"real/SKILL.md": "---\nname: a\ndescription: b\n---\n",
			"real/b.sh": "echo b",
		});
		symlinkSync("real", join(bundle, "link"));
		const path = join(bundle, "real", "scripts", "a.sh");
		mkdirSync(join(bundle, "real", "scripts"));
		writeFileSync(path, "echo a", { mode: 0o755 });
		const [tool] = await (await AgentSkill.load(join(bundle, "link", "SKILL.md"))).scriptTools();
		const named = await ScriptTool.fromPath(path, { skillDir: join(bundle, "link") });
		const alone = await ScriptTool.fromPath(path);
		const ran = async () => Promise.all([tool, named, alone].map((each) => each?.execute({}, {})));
		expect(await ran()).toEqual(["a\n", "a\n", "a\n"]);
		for (const [target, said] of [
			["../b.sh", "b\n"],
			[
				"../../outside.sh",
				expect.stringMatching(/^Error \(not run: script_outside_bundle\): .*leads out of the bundle by now\. Put the file/),
			],
		] as const) {
			unlinkSync(path);
			symlinkSync(target, path);
			expect(await ran()).toEqual([said, said, target === "../b.sh" ? said : "outside\n"]);
		}
		unlinkSync(join(bundle, "link"));
		symlinkSync(temporaryBundle({ "scripts/a.sh": "echo another" }), join(bundle, "link"));
		expect(await tool?.execute({}, {})).toMatch(/script_outside_bundle/);
	});

	it("are found where the bundle itself is reached through a link", async () => {
		const bundle = temporaryBundle({ "real/SKILL.md": "---\nname: a\ndescription: b\n---\n", "real/scripts/deep/a.sh": "echo" });
		symlinkSync("real", join(bundle, "link"));
		configure({ scripts: { nested: true } });
		expect(await names(await AgentSkill.load(join(bundle, "link", "SKILL.md")))).toEqual(["deep_a"]);
	});
});

describe("ScriptTool.fromPath()", () => {
	it("asks for the network of the capabilities it is given before uv runs", async () => {
		configure({ scripts: { pep723: "uv" }, sandbox: { network: true } });
		programs({ uv: '#!/bin/sh\necho "uv $1"\n' });
		const path = join(temporaryBundle({ "a.py": METADATA }), "a.py");
		const without = await ScriptTool.fromPath(path);
		const granted = await ScriptTool.fromPath(path, { capabilities: new Capabilities({ network: true }) });
		expect(await without?.execute({}, {})).toMatch(/network_not_granted/);
		expect(await granted?.execute({}, {})).toBe("uv run\n");
	});
});
