import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliRun, cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const elsewhere = process.platform === "darwin" ? "linux" : "darwin";

function household(): { readonly root: string; explain(...args: readonly string[]): CliRun } {
	const root = temporarySkills({
		"work/in/note": "x",
		"work/secret": "x",
		"skills/reader/SKILL.md": skillMd("reader", "Reads.", 'fs_read: ["in", "/etc"]', "network: true", "timeout: 5", "trust: sure"),
		"skills/reader/scripts/go.sh": "#!/bin/bash\n",
		"skills/house/SKILL.md": skillMd("house", "Ours.", 'fs_write: ["in"]'),
	});
	symlinkSync("../secret", join(root, "work/in/leak"));
	const explain = (...args: readonly string[]): CliRun =>
		cliInThread(["sandbox", "explain", ...args, "--skills", join(root, "skills")], { cwd: join(root, "work") });
	return { root, explain };
}

it("sandbox explain says what was asked, allowed at most, given and refused, and answers with the rule that decides", () => {
	const { root, explain } = household();
	const { code, stdout, stderr } = explain(
		"reader",
		"--platform",
		"darwin",
		"--can",
		"read in/note",
		"read in/leak",
		"connect example.com:443",
	);
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toMatch(/^ {2}script +go\.sh$/m);
	expect(stdout).toMatch(/^ {2}confined +seatbelt, because sandbox\.backend is "auto"/m);
	expect(stdout).toMatch(/refused {2}to read \/etc: it is not below/);
	expect(stdout).toMatch(/refused {2}the network: the ceiling has no network/);
	expect(stdout).toMatch(/trust: "sure" is neither core nor external/);
	expect(stdout).toMatch(
		/allowed {2}read in\/note\n.*\n +by: \(allow file-read\* \(subpath ".*\/work\/in"\)\)\n +because: granted by fs_read, for reading only$/m,
	);
	expect(stdout).toMatch(
		/denied +read in\/leak\n +leads to .*\/work\/secret\n +by: \(deny default\)\n +because: .*in\/leak is a symbolic link to \.\.\/secret/,
	);
	expect(stdout).toMatch(/denied +connect example\.com:443/);
	expect(stdout).toContain(root);
});

it("sandbox explain --json prints one document with all of it", () => {
	const { root, explain } = household();
	const { code, stdout, stderr } = explain("reader", "--platform", "darwin", "--json", "--can", "read in/note", "env HOME");
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(JSON.parse(stdout)).toMatchObject({
		skill: "reader",
		script: "go.sh",
		platform: "darwin",
		strategy: "seatbelt",
		declared: { fsRead: ["in", "/etc"], network: true },
		ceiling: { fsRead: ["."], network: false },
		grant: {
			fsRead: [join(root, "work/in")],
			network: false,
			timeout: 5,
			trust: "external",
			refused: [{ path: "/etc" }, { field: "network" }],
		},
		diagnostics: [{ message: expect.stringContaining("sure") }],
		notes: [],
		answers: [
			{ question: "read in/note", allowed: true, why: "granted by fs_read, for reading only" },
			{ question: "env HOME", allowed: true },
		],
	});
});

it("sandbox explain says that nothing is denied where nothing confines, and why", () => {
	const { explain } = household();
	const off = explain("reader", "--no-sandbox", "--can", "read /etc/shadow");
	expect(off.stdout).toContain("nothing is denied, because --no-sandbox was given");
	expect(off.stdout).toMatch(/allowed {2}read \/etc\/shadow\n +by: nothing confines/);
	expect(explain("reader", "--backend", "none").stdout).toContain('nothing is denied, because sandbox.backend is "none"');
});

it("sandbox explain lists what can be asked when it does not understand a question, and prints nothing else", () => {
	const { explain } = household();
	for (const question of ["fly home", "read", "connect x", "listen 0"]) {
		const { code, stdout, stderr } = explain("reader", "--can", "read in/note", question);
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toMatch(/cannot be asked.*read PATH {2,}read ~\/\.ssh/s);
		expect(stderr).not.toMatch(/^\s+at /m);
	}
});

it("sandbox explain and profile end with the code of what keeps a script from being run, and explain nothing", () => {
	const { explain, root } = household();
	const cases = [
		["unsupported_platform", ["reader", "--platform", elsewhere, "--backend", elsewhere === "darwin" ? "bubblewrap" : "seatbelt"]],
		["grant_not_expressible", ["gone", "--platform", "linux", "--backend", "bubblewrap", "--allow-write", "."]],
		["invalid_grant", ["whole", "--platform", "darwin", "--allow-write", "/"]],
	] as const;
	const more = temporarySkills({
		"gone/SKILL.md": skillMd("gone", "Writes.", 'fs_write: ["not/there"]'),
		"whole/SKILL.md": skillMd("whole", "Writes.", 'fs_write: ["/"]'),
	});
	for (const [codeWord, args] of cases) {
		const { code, stdout, stderr } = explain(...args, "--skills", more, join(root, "skills"));
		expect({ code, stdout, stderr }).toEqual({
			code: 1,
			stdout: "",
			stderr: expect.stringMatching(new RegExp(`^robot-lab: ${codeWord}: .+`)),
		});
	}
	const profile = cliInThread(["sandbox", "profile", "whole", "--skills", more, "--platform", "darwin", "--allow-write", "/"]);
	expect(profile).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("invalid_grant: ") });
});

it("sandbox explain takes another script's interpreter into account, and knows no script of another name", () => {
	const root = temporarySkills({
		"s/SKILL.md": skillMd("s", "Runs."),
		"s/scripts/a.sh": "#!/bin/bash\n",
		"tools/scripts/own": "#!/bin/sh\n",
	});
	const tool = join(root, "tools/scripts/own");
	const more = temporarySkills({ "t/SKILL.md": skillMd("t", "Runs."), "t/scripts/a.sh": "#!/bin/bash\n", "t/scripts/b": `#!${tool}\n` });
	const allowed = (...args: readonly string[]): unknown =>
		JSON.parse(
			cliInThread(["sandbox", "explain", "t", "--skills", more, "--platform", "darwin", "--json", "--can", `read ${tool}`, ...args]).stdout,
		).answers[0].allowed;
	expect([allowed(), allowed("--script", "b")]).toEqual([false, true]);
	const unknown = cliInThread(["sandbox", "explain", "s", "--skills", root, "--script", "c"]);
	expect(unknown).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('There is no script "c"') });
});

it("sandbox explain shows what a terminal would obey spelt out", () => {
	const { explain } = household();
	const { code, stdout } = explain("reader", "--platform", "darwin", "--can", "read in/\u001b[31mred\u202e");
	expect(code).toBe(0);
	expect(stdout).toContain("read in/\\u001b[31mred\\u202e");
	// biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point
	expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});
