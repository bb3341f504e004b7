import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { inspectScript } from "../../src/script/inspect-script.js";
import type { ScriptOptions } from "../../src/script/script-executor.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { temporaryBundle } from "./bundle.js";

afterEach(() => {
	reloadConfig();
	ScriptTool.executor = undefined;
});

/** Calls a tool as a run loop does. */
async function call(tool: Tool | undefined, input?: unknown): Promise<string> {
	if (tool === undefined) throw new Error("there is no tool");
	const checked = await tool.validate(input);
	return checked.ok ? String(await tool.execute(checked.value, {})) : `invalid: ${checked.message}`;
}

async function toolOf(name: string, text: string): Promise<Tool | undefined> {
	return ScriptTool.fromPath(join(temporaryBundle({ [name]: text }), name));
}

describe("a tool made by ScriptTool.fromPath()", () => {
	it("has the derived name, the description and one optional parameter", async () => {
		const tool = await toolOf("check-deploy.sh", "#!/bin/bash\n# Checks a deployment.\n");
		expect(tool).toMatchObject({ name: "check_deploy", description: "Checks a deployment." });
		expect(tool?.parameters).toMatchObject({
			type: "object",
			additionalProperties: false,
			properties: { args: { anyOf: [{ type: "array" }, { type: "string" }] } },
		});
		expect(tool?.parameters.required).toBeUndefined();
		expect(Object.isFrozen(tool)).toBe(true);
	});

	it.each([
		["bash, for the extension", "a.sh", 'for a in "$@"; do echo "[$a]"; done'],
		["bash, for nothing", "tool", 'for a in "$@"; do echo "[$a]"; done'],
		["python3, for the extension", "a.py", "import sys\nfor a in sys.argv[1:]: print(f'[{a}]')"],
		["python3, through env -S", "b.txt.tool", "#!/usr/bin/env -S python3 -u\nimport sys\nfor a in sys.argv[1:]: print(f'[{a}]')"],
		["node, for the extension", "a.mjs", "for (const a of process.argv.slice(2)) console.log('[' + a + ']');"],
		[
			"node, for the first line, whatever the extension",
			"c.sh",
			"#!/usr/bin/env node\nfor (const a of process.argv.slice(2)) console.log('[' + a + ']');",
		],
		["bash, for a first line that ends in a carriage return", "d.sh", '#!/bin/bash\r\nprintf "[%s]\\n" "$@" #\r\n'],
	])("runs a script with %s", async (_, name, text) => {
		const tool = await toolOf(name, text);
		const output = "[a b]\n[]\n[$HOME *]\n";
		expect(await call(tool, { args: ["a b", "", "$HOME *"] })).toBe(output);
		expect(await call(tool, { args: `'a b' "" '$HOME *'` })).toBe(output);
	});

	it("runs a script with sh and its one option", async () => {
		const tool = await toolOf("b", '#!/bin/sh -e\necho "[$1]"; false; echo wrong');
		expect(await call(tool, { args: ["a b"] })).toBe("Error (exit 1):\n[a b]\n");
	});

	it("runs a program, which has no interpreter", async () => {
		const bundle = temporaryBundle();
		copyFileSync(
			execFileSync("sh", ["-c", "command -v printf || echo /usr/bin/printf"], { encoding: "utf8" })
				.trim()
				.replace(/^printf$/, "/usr/bin/printf"),
			join(bundle, "tool"),
		);
		chmodSync(join(bundle, "tool"), 0o755);
		const tool = await ScriptTool.fromPath(join(bundle, "tool"));
		expect(await call(tool, { args: ["%s!", "hello"] })).toBe("hello!");
	});

	it("runs without arguments when none, null or an empty object is sent", async () => {
		const tool = await toolOf("a.sh", "echo $#");
		for (const input of [undefined, null, {}, { args: undefined }, { args: null }, { args: [] }, { args: "" }, { args: "  " }]) {
			expect(await call(tool, input)).toBe("0\n");
		}
	});

	it.each<[unknown, RegExp]>([
		[{ args: "it's" }, /never closed/],
		[{ args: 3 }, /array of strings or one string, not 3/],
		[{ args: { 0: "a" } }, /not an object/],
		[{ args: ["a", 3] }, /args\[1\] must be a string, not 3/],
		[{ args: ["a", null] }, /args\[1\] must be a string, not null/],
		[{ args: "a\0b" }, /args\[0\] holds a NUL/],
		[{ args: ["a", "\0"] }, /args\[1\] holds a NUL/],
		[{ arguments: "a" }, /no parameter "arguments"/],
		["-x", /must be an object.*not "-x"/],
		[["-x"], /must be an object.*not a list/],
		[5, /not 5/],
	])("tells the model what is wrong with %j, and runs nothing", async (input, message) => {
		const bundle = temporaryBundle({ "a.sh": 'touch "$SKILL_DIR/made"' });
		const tool = await ScriptTool.fromPath(join(bundle, "a.sh"));
		expect(await call(tool, input)).toMatch(message);
		expect(await tool?.execute(input, {})).toMatch(/^Error \(not run: invalid_arguments\): /);
		expect(await call(await ScriptTool.fromPath(join(bundle, "a.sh")), {})).toBe("");
		expect(execFileSync("ls", [bundle], { encoding: "utf8" })).toBe("a.sh\nmade\n");
	});

	it("answers call() with how the script ended, and execute() with the text of it alone", async () => {
		const tool = await toolOf("a.sh", 'echo "$1"; exit "$1"');
		expect(await tool?.call?.({ args: "3" }, {})).toEqual({
			text: "Error (exit 3):\n3\n",
			isError: true,
			script: {
				confinement: "none",
				exitCode: 3,
				signal: null,
				timedOut: false,
				aborted: false,
				truncatedBytes: 0,
				durationMs: expect.any(Number),
			},
		});
		expect(await tool?.call?.({ args: "0" }, {})).toMatchObject({ text: "0\n", isError: false, script: { exitCode: 0 } });
		expect(await tool?.call?.({ args: "'" }, {})).toMatchObject({ isError: true, script: { refusal: { code: "invalid_arguments" } } });
		expect(await tool?.execute({ args: "0" }, {})).toBe("0\n");
	});

	it("cuts what the model is told to scripts.maxModelBytes, head and tail", async () => {
		configure({ scripts: { maxModelBytes: 400 } });
		const text = await call(await toolOf("a.sh", "echo begin; head -c 100000 /dev/zero | tr '\\0' x; echo; echo end; exit 2"));
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(400);
		expect(text).toMatch(/^Error \(exit 2\):\nbegin\nx+\n\[… [\d,]+ bytes cut …\]\nx+\nend\n$/);
	});

	it("tells the model of all that was cut, at capture and for it, in one notice", async () => {
		const text = await call(await toolOf("a.sh", "echo begin; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo end"));
		const [, cut = ""] = /^begin\nx+\n\[… ([\d,]+) bytes cut …\]\nx+\nend\n$/.exec(text) ?? [];
		const kept = text.replace(/\n\[… [\d,]+ bytes cut …\]\n/, "").length;
		expect(Number(cut.replaceAll(",", "")) + kept).toBe(5_000_000 + "begin\n\nend\n".length);
	});

	it("hands the bundle, its capabilities and the run's signal and listeners to the executor", async () => {
		const bundle = temporaryBundle({ "scripts/a.sh": "echo hi" });
		const capabilities = new Capabilities({ network: true });
		let seen: readonly [readonly string[], ScriptOptions] | undefined;
		ScriptTool.executor = {
			specificationVersion: "v1",
			name: "seeing",
			run: async (command, options) => {
				seen = [command, options];
				return Promise.reject(new Error("enough"));
			},
		};
		const tool = await ScriptTool.fromPath(join(bundle, "scripts", "a.sh"), { capabilities, skillDir: bundle });
		const { signal } = new AbortController();
		await tool?.execute({ args: ["x"] }, { signal, onOutput: () => {}, onLifecycle: () => {} });
		expect(seen?.[0]).toEqual(["bash", join(bundle, "scripts", "a.sh"), "x"]);
		expect(seen?.[1]).toMatchObject({
			capabilities,
			skillDir: bundle,
			signal,
			onOutput: expect.any(Function),
			onLifecycle: expect.any(Function),
		});
	});

	it("grants nothing and takes the script's own directory for the bundle when it is told neither", async () => {
		const bundle = temporaryBundle({ "a.sh": "pwd" });
		let seen: ScriptOptions | undefined;
		ScriptTool.executor = {
			specificationVersion: "v1",
			name: "seeing",
			run: async (_, options) => {
				seen = options;
				return Promise.reject(new Error("enough"));
			},
		};
		await call(await ScriptTool.fromPath(join(bundle, "a.sh")));
		expect(seen).toMatchObject({ skillDir: bundle, capabilities: new Capabilities() });
	});

	it("refuses with the script's name when the script is gone, a directory, or no longer executable", async () => {
		const bundle = temporaryBundle({ "a.sh": "echo hi" });
		const path = join(bundle, "a.sh");
		const tool = await ScriptTool.fromPath(path);
		expect(await call(tool)).toBe("hi\n");
		chmodSync(path, 0o644);
		expect(await call(tool)).toMatch(/^Error \(not run: script_not_executable\): .*a\.sh.*chmod \+x/);
		rmSync(path);
		expect(await call(tool)).toMatch(/^Error \(not run: script_missing\): .*a\.sh.*ENOENT/);
		mkdirSync(path);
		expect(await call(tool)).toMatch(/^Error \(not run: script_missing\): .*no longer a file/);
	});

	it("starts a script that was rewritten in another language as what it is now", async () => {
		const bundle = temporaryBundle({ tool: "#!/bin/bash\necho bash" });
		const tool = await ScriptTool.fromPath(join(bundle, "tool"));
		expect(await call(tool)).toBe("bash\n");
		writeFileSync(join(bundle, "tool"), "#!/usr/bin/env python3\nimport sys\nprint(f'python {len(sys.argv)}')");
		expect(await call(tool)).toBe("python 1\n");
		writeFileSync(join(bundle, "tool"), "");
		expect(await call(tool)).toMatch(/^Error \(not run: script_unusable\): .*no script any more: it is empty/);
	});

	it("tells of no command that would do more than chmod when it is pasted into a shell", async () => {
		const name = "$(touch pwned)'; touch pwned2 #.sh";
		const bundle = temporaryBundle({ [name]: "echo hi" });
		const tool = await ScriptTool.fromPath(join(bundle, name));
		chmodSync(join(bundle, name), 0o644);
		const [, atCall = ""] = /Run: (.*)$/.exec(await call(tool)) ?? [];
		const inspection = await inspectScript(join(bundle, name));
		const [, atInspection = ""] = /Run: (.*) and load it anew/.exec(inspection.kind === "unusable" ? inspection.message : "") ?? [];
		for (const pasted of [atCall, atInspection]) {
			expect(pasted).toMatch(/^chmod \+x /);
			chmodSync(join(bundle, name), 0o644);
			execFileSync("sh", ["-c", pasted], { cwd: bundle });
			expect(readdirSync(bundle)).toEqual([name]);
			expect(await call(tool)).toBe("hi\n");
		}
		execFileSync("sh", ["-c", `echo ${JSON.stringify("$(touch control)")}`], { cwd: bundle });
		expect(readdirSync(bundle)).toContain("control");
	});

	it("tells the model which interpreter is missing and which script needs it", async () => {
		const tool = await toolOf("a.sh", "#!/usr/bin/env no-such-interpreter\n");
		expect(await call(tool, { args: ["x"] })).toMatch(/^Error \(not run: interpreter_missing\): .*"no-such-interpreter".*a\.sh/);
	});
});

describe("ScriptTool.fromPath()", () => {
	it.each<[string, string, string | Uint8Array]>([
		["data.json", "it is a data file", '{"a": 1}'],
		["schema.xsd", "it is a data file", "<x/>"],
		["notes.TXT", "it is a data file", "#!/bin/sh\n"],
		["types.d.ts", "it is a data file", "export {};"],
		["archive.tar.gz", "it is a data file", Buffer.from([0x1f, 0x8b])],
		["blob", "it is a data file", Buffer.from([1, 2, 0, 3])],
		["__init__.py", "it marks a Python package", "# init\n"],
		[".hidden.sh", "it is a dotfile", "echo"],
		["LICENSE", "it is text for people", "MIT"],
		["License.py", "it is text for people", "MIT"],
		["README.sh", "it is text for people", "x"],
		["Makefile", "another program looks for it by its name", "all:\n"],
		["conftest.py", "it is for a test runner", "print(1)"],
		["a.test.mjs", "it is for a test runner", "1"],
		["card.tsx", "it names no interpreter, and none reads .tsx", "1"],
		["main.go", "it names no interpreter, and none reads .go", "package main"],
		["empty.sh", "it is empty", ""],
		["blank.py", "it is empty", " \n\n"],
	])("makes no tool of %s though it is executable: %s", async (name, reason, text) => {
		const path = join(temporaryBundle({ [name]: text }), name);
		expect(await ScriptTool.fromPath(path)).toBeUndefined();
		expect(await inspectScript(path)).toEqual({ kind: "other", path, reason });
	});

	it("makes no tool of a directory, a FIFO or a dangling link with a script's name, and does not hang on them", async () => {
		const bundle = temporaryBundle();
		mkdirSync(join(bundle, "dir.sh"));
		execFileSync("mkfifo", [join(bundle, "fifo.sh")]);
		symlinkSync("nowhere", join(bundle, "dangling.sh"));
		for (const name of ["dir.sh", "fifo.sh", "dangling.sh", "missing.sh", "x".repeat(5000), "a\0b"]) {
			expect(await ScriptTool.fromPath(join(bundle, name))).toBeUndefined();
		}
	});

	it.each([undefined, null, 3, {}, Symbol("path")])("answers undefined for %o", async (path) => {
		expect(await ScriptTool.fromPath(path as never)).toBeUndefined();
	});

	it("makes no tool of a script that is not executable, and says what to do", async () => {
		const path = join(temporaryBundle({ "a.py": { text: "print(1)", mode: 0o644 } }), "a.py");
		expect(await ScriptTool.fromPath(path)).toBeUndefined();
		expect(await inspectScript(path)).toMatchObject({
			kind: "unusable",
			code: "script_not_executable",
			message: expect.stringContaining(`chmod +x '${path}'`),
		});
	});

	it("warns once of a script that is no tool as it is, and of data not at all", async () => {
		const bundle = temporaryBundle({ "a.py": { text: "print(1)", mode: 0o644 }, "data.json": { text: "{}", mode: 0o644 } });
		const warnings: Error[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		// Those of the tests before are told a moment later.
		await new Promise((resolve) => setImmediate(resolve));
		process.on("warning", note);
		for (const name of ["a.py", "data.json", "a.py"]) await ScriptTool.fromPath(join(bundle, name));
		await new Promise((resolve) => setImmediate(resolve));
		process.off("warning", note);
		expect(warnings).toMatchObject([{ code: "ROBOT_LAB_SCRIPT_SKIPPED", message: expect.stringContaining("a.py is not executable") }]);
	});

	it.each([3, null, {}, ["/"]])("answers undefined for the bundle's directory %j", async (skillDir) => {
		const path = join(temporaryBundle({ "a.sh": "echo" }), "a.sh");
		expect(await ScriptTool.fromPath(path, { skillDir } as never)).toBeUndefined();
		expect(await ScriptTool.fromPath(path, null as never)).toMatchObject({ name: "a" });
	});

	it("takes any script with a known interpreter when scripts.requireExecutable is false", async () => {
		const bundle = temporaryBundle({
			"a.py": { text: "print(1)", mode: 0o644 },
			b: { text: "#!/bin/sh\necho 2", mode: 0o644 },
			Makefile: { text: "all:\n", mode: 0o644 },
			"data.json": { text: "{}", mode: 0o644 },
			program: { text: "\x7fELF\0", mode: 0o644 },
		});
		configure({ scripts: { requireExecutable: false } });
		expect(await call(await ScriptTool.fromPath(join(bundle, "a.py")))).toBe("1\n");
		expect(await call(await ScriptTool.fromPath(join(bundle, "b")))).toBe("2\n");
		for (const name of ["Makefile", "data.json", "program"]) expect(await ScriptTool.fromPath(join(bundle, name))).toBeUndefined();
	});

	it("follows a link to a script and takes a path relative to the host's directory", async () => {
		const bundle = temporaryBundle({ "real.sh": "echo linked" });
		symlinkSync("real.sh", join(bundle, "link.sh"));
		const tool = await ScriptTool.fromPath(join(bundle, "link.sh"));
		expect([tool?.name, await call(tool)]).toEqual(["link", "linked\n"]);
		writeFileSync(join(bundle, "rel.sh"), "echo relative", { mode: 0o755 });
		const home = process.cwd();
		process.chdir(bundle);
		const relative = await ScriptTool.fromPath("./rel.sh");
		process.chdir(home);
		expect(await call(relative)).toBe("relative\n");
	});
});
