import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isAlive } from "../is-alive.js";
import { cliInThread, ended, printed, startCli } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const SKILL = {
	"tools/SKILL.md": skillMd("tools", "Tools.", 'fs_read: ["."]'),
	"tools/scripts/say.sh": '#!/bin/sh\nfor word in "$@"; do echo "<$word>"; done\necho warned >&2\n',
	"tools/scripts/fail.sh": "#!/bin/sh\necho before\nexit 7\n",
	"tools/scripts/where.sh": '#!/bin/sh\necho "$SKILL_DIR|$WORK_DIR|$PWD"\n',
	"tools/scripts/sleep.sh": "#!/bin/sh\necho started\nsleep 300\n",
	"tools/scripts/many.sh": '#!/bin/sh\ni=0\nwhile [ $i -lt 200000 ]; do echo "line $i"; i=$((i+1)); done\n',
	"tools/scripts/notes.txt": "nothing to run",
};

const run = (root: string, ...args: string[]) =>
	cliInThread(["skills", "run", "tools", ...args.slice(0, 1), "--skills", root, ...args.slice(1)], { cwd: root });

it("skills run prints what the script prints, each stream on its own, and ends with 0", () => {
	const root = temporarySkills(SKILL);
	const { code, stdout, stderr } = run(root, "say", "--", "one", "two three", "--four", "$HOME;", "");
	expect({ code, stdout }).toEqual({ code: 0, stdout: "<one>\n<two three>\n<--four>\n<$HOME;>\n<>\n" });
	expect(stderr).toContain("warned\n");
});

it("skills run takes a script by its tool's name, its file name and the name a model sees", () => {
	const root = temporarySkills(SKILL);
	for (const name of ["say", "say.sh", "tools__say"]) expect(run(root, name, "--", "x").stdout).toBe("<x>\n");
});

it("skills run checks the values of parameters that a script declares, and hands them over as it takes them", () => {
	const root = temporarySkills({
		...SKILL,
		"tools/scripts/read.sh": "#!/bin/sh\n# @input json\n# @option --limit <INT>\n# @arg words*\necho $#; cat\n",
	});
	const { code, stdout } = run(root, "read", "--param", "limit=5", "--param", "words=a=b", "--param", "words=c");
	expect({ code, stdout }).toEqual({ code: 0, stdout: '0\n{"limit":5,"words":["a=b","c"]}\n' });
});

it("skills run ends with 1 when the script fails, and says how", () => {
	const { code, stdout, stderr } = run(temporarySkills(SKILL), "fail");
	expect({ code, stdout }).toEqual({ code: 1, stdout: "before\n" });
	expect(stderr).toContain("fail.sh ended with exit code 7");
});

it("skills run gives the script the bundle's directory and runs it in this one", () => {
	const root = temporarySkills(SKILL);
	expect(run(root, "where").stdout).toBe(`${join(root, "tools")}|${root}|${root}\n`);
});

it("skills run ends a script at the ceiling's timeout, with 1", () => {
	const started = Date.now();
	const { code, stdout, stderr } = run(temporarySkills(SKILL), "sleep", "--timeout", "1");
	expect({ code, stdout }).toEqual({ code: 1, stdout: "started\n" });
	expect(stderr).toContain("sleep.sh ran longer than it may and was ended after 1");
	expect(Date.now() - started).toBeLessThan(15_000);
});

it("skills run --json prints one document, whatever the script printed", () => {
	const { code, stdout } = run(temporarySkills(SKILL), "fail", "--json");
	expect(code).toBe(1);
	expect(JSON.parse(stdout)).toMatchObject({
		skill: "tools",
		script: "fail.sh",
		output: "before\n",
		exitCode: 7,
		timedOut: false,
		confinement: expect.any(String),
	});
});

it.each([
	["an unknown script", "sya", 2, "Did you mean say?"],
	["a file that is no tool", "notes.txt", 2, "notes.txt is no tool"],
	["a path out of the skill", "../../../bin/sh", 2, "There is no script"],
])("skills run of %s names it and runs nothing", (_, name, code, message) => {
	const result = run(temporarySkills(SKILL), name);
	expect(result).toMatchObject({ code, stdout: "" });
	expect(result.stderr).toContain(message);
});

it("skills run of a script whose interpreter is missing ends with 1 and names the interpreter", () => {
	const root = temporarySkills({ ...SKILL, "tools/scripts/odd.sh": "#!/nowhere/interpreter\n" });
	const { code, stderr } = run(root, "odd");
	expect(code).toBe(1);
	expect(stderr).toContain("/nowhere/interpreter");
	expect(stderr).not.toMatch(/^\s+at /m);
});

it("skills run to a reader that had enough ends quietly", async () => {
	const root = temporarySkills(SKILL);
	const child = startCli(["skills", "run", "tools", "many", "--skills", root], { cwd: root });
	let complaints = "";
	child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
		complaints += chunk;
	});
	child.stdout?.once("data", () => child.stdout?.destroy());
	expect(await ended(child)).toBe(0);
	expect(complaints).not.toMatch(/EPIPE|Error/);
});

it("an interrupt ends the script and everything it started, and the command with 130", async () => {
	const scratch = mkdtempSync(join(tmpdir(), "robot-lab-pids-"));
	onTestFinished(() => rmSync(scratch, { recursive: true }));
	const stubborn = `#!/bin/bash\ntrap "" TERM INT\necho $$ > ${scratch}/leader\n(trap "" TERM INT; echo $BASHPID > ${scratch}/child; sleep 300) &\nsetsid sh -c 'echo $$ > ${scratch}/apart; sleep 300' &\nsleep 0.3\necho ready\nwait\nsleep 300\n`;
	const root = temporarySkills({ "tools/SKILL.md": skillMd("tools", "Tools."), "tools/scripts/stubborn.sh": stubborn });
	const child = startCli(["skills", "run", "tools", "stubborn", "--skills", root], { cwd: root });
	await printed(child, "ready");
	const pids = ["leader", "child", "apart"]
		.map((name) => join(scratch, name))
		.filter(existsSync)
		.map((path) => Number(readFileSync(path, "utf8")));
	expect(pids.filter(isAlive).length).toBeGreaterThanOrEqual(2);
	child.kill("SIGINT");
	expect(await ended(child)).toBe(130);
	expect(pids.filter(isAlive)).toEqual([]);
});
