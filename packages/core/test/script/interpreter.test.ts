import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { programOfEnv } from "../../src/script/env-command.js";
import { chooseInterpreter } from "../../src/script/interpreter.js";
import { parseShebang, readShebang } from "../../src/script/shebang.js";

describe("parseShebang()", () => {
	it.each<[string, readonly string[] | undefined]>([
		["#!/bin/bash", ["/bin/bash"]],
		["#!/bin/bash\necho hi", ["/bin/bash"]],
		["#! /bin/sh -e \n", ["/bin/sh", "-e"]],
		["#!/bin/sh -e -u\n", ["/bin/sh", "-e -u"]],
		["#!\t/usr/bin/perl\t-w\n", ["/usr/bin/perl", "-w"]],
		["#!/bin/bash\r\necho hi\r\n", ["/bin/bash"]],
		["\uFEFF#!/bin/bash\n", ["/bin/bash"]],
		["#!/usr/bin/env python3\n", ["python3"]],
		["#!/bin/env ruby\r\n", ["ruby"]],
		["#!/usr/bin/env python3 -u\n", ["python3", "-u"]],
		["#!/usr/bin/env -S python3 -u -O\n", ["python3", "-u", "-O"]],
		["#!/usr/bin/env -Snode --title='a b'\n", ["node", "--title=a b"]],
		["#!/usr/bin/env --split-string=deno run\n", ["deno", "run"]],
		["#!/usr/bin/env -S uv run --script\n", ["uv", "run", "--script"]],
		["#!/usr/bin/env -S it's\n", ["it's"]],
		["#!/usr/bin/env -S A=1 python3\n", ["/usr/bin/env", "A=1", "python3"]],
		["#!/usr/bin/env A=1 python3\n", ["/usr/bin/env", "A=1", "python3"]],
		["#!/usr/bin/env -i bash\n", ["/usr/bin/env", "-i", "bash"]],
		["#!/usr/bin/env -u FOO node\n", ["/usr/bin/env", "-u", "FOO", "node"]],
		["#!/usr/bin/env -S -u FOO -C /tmp node -x\n", ["/usr/bin/env", "-u", "FOO", "-C", "/tmp", "node", "-x"]],
		["#!/usr/bin/env -iS bash -e\n", ["/usr/bin/env", "-i", "bash", "-e"]],
		["#!/usr/bin/env -S 'a b' c\n", ["a b", "c"]],
		["#!/usr/bin/env -- node\n", ["node"]],
		["#!/usr/bin/env -u FOO\n", undefined],
		["#!/usr/bin/env A=1\n", undefined],
		["#!/usr/bin/env --unset=FOO\n", undefined],
		["#!/usr/bin/env\n", undefined],
		["#!/usr/bin/env -S \n", undefined],
		["#!\n/bin/bash", undefined],
		["#!", undefined],
		["# !/bin/bash", undefined],
		[" #!/bin/bash", undefined],
		["\n#!/bin/bash", undefined],
		["", undefined],
	])("reads %j as %j", (text, expected) => {
		expect(parseShebang(text)).toEqual(expected);
	});
});

describe("readShebang()", () => {
	it("gives what the system hands over: one argument, env or not", () => {
		expect(readShebang("#!/usr/bin/env -S node -x\n")).toEqual(["/usr/bin/env", "-S node -x"]);
		expect(readShebang("#!/bin/bash\r\n")).toEqual(["/bin/bash"]);
		expect(readShebang("bash")).toBeUndefined();
	});
});

describe("programOfEnv()", () => {
	it.each<[readonly string[], readonly string[]]>([
		[
			["node", "-u", "x"],
			["node", "-u", "x"],
		],
		[["-u", "FOO", "node"], ["node"]],
		[["-uFOO", "node"], ["node"]],
		[["-iu", "FOO", "node"], ["node"]],
		[["--unset", "FOO", "node"], ["node"]],
		[["--unset=FOO", "node"], ["node"]],
		[["-C", "/dir", "--chdir=/dir", "--chdir", "/dir", "node"], ["node"]],
		[["-P", "/bin:/opt/bin", "node"], ["node"]],
		[["-a", "name", "node"], ["node"]],
		[
			["-", "A=1", "B=", "node", "C=2"],
			["node", "C=2"],
		],
		[["-i", "--", "A=1", "node"], ["node"]],
		[["--ignore-signal=INT", "--debug", "node"], ["node"]],
		[
			["-S node -x", "file"],
			["node", "-x", "file"],
		],
		[
			["-S", "node -x", "file"],
			["node", "-x", "file"],
		],
		[
			["-vS-u FOO node", "file"],
			["node", "file"],
		],
		[
			["--split-string=-S 'node -x'", "file"],
			["node", "-x", "file"],
		],
		[
			["--split-string", "A=1 node", "file"],
			["node", "file"],
		],
		[["-S"], []],
		[["-u"], []],
		[["A=1"], []],
		[[], []],
	])("finds what env %j runs", (args, expected) => {
		expect(programOfEnv(args)).toEqual(expected);
	});

	it.skipIf(spawnSync("env", ["--version"], { encoding: "utf8" }).stdout?.startsWith("env (GNU") !== true)(
		"finds what GNU env runs (skipped where env is another)",
		() => {
			for (const args of [
				["-u", "FOO", "echo"],
				["-uFOO", "echo"],
				["-iu", "FOO", "/bin/echo"],
				["-C", "/", "A=1", "echo"],
				["-S-u FOO echo", "x"],
				["--", "A=1", "echo"],
			]) {
				const [program = "", ...rest] = programOfEnv(args);
				expect(program).toMatch(/echo$/);
				expect(spawnSync("env", args, { encoding: "utf8" }).stdout).toBe(`${rest.join(" ")}\n`);
			}
		},
	);
});

describe("chooseInterpreter()", () => {
	const choose = (path: string, text: string | Uint8Array) => chooseInterpreter(path, Buffer.from(text as string));

	it.each([
		["a.py", "import os", "python3"],
		["a.PY", "import os", "python3"],
		["a.sh", "echo", "bash"],
		["a.bash", "echo", "bash"],
		["a.zsh", "echo", "zsh"],
		["a.js", "1", "node"],
		["a.mjs", "1", "node"],
		["a.cjs", "1", "node"],
		["a.ts", "1", "node"],
		["a.rb", "1", "ruby"],
		["a.pl", "1", "perl"],
		["a.cts", "1", "node"],
		["a.R", "1", "Rscript"],
	])("goes by the extension of %s", (path, text, interpreter) => {
		expect(choose(path, text)).toEqual({ command: [interpreter], from: "extension" });
	});

	it("starts PowerShell without the user's settings and without questions", () => {
		expect(choose("a.ps1", "1")).toEqual({ command: ["pwsh", "-NoProfile", "-NonInteractive", "-File"], from: "extension" });
	});

	it("believes the first line before the extension", () => {
		expect(choose("a.sh", "#!/usr/bin/env python3\n")).toEqual({ command: ["python3"], from: "shebang" });
	});

	it.each(["deploy", "a.constructor", "a.unknown"])("gives %s without a first line to bash", (path) => {
		expect(choose(path, "echo hi")).toEqual({ command: ["bash"], from: "default" });
	});

	it.each([
		["ELF", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]],
		["Mach-O", [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]],
		["universal Mach-O", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2]],
	])("starts a program by itself (%s)", (_, bytes) => {
		expect(choose("tool.sh", Buffer.from(bytes))).toEqual({ command: [], from: "binary" });
	});
});
