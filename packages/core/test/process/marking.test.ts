import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoundedRunOptions, runBounded } from "../../src/process/index.js";
import { markLauncher } from "../../src/process/mark.js";
import { markingFor } from "../../src/process/marking.js";
import { planRun } from "../../src/process/run-plan.js";
import { onLinux } from "./living.js";

const SHOW = "cat /proc/self/limits; env; ls -l /proc/self/fd";

let directory: string;
beforeAll(() => {
	directory = mkdtempSync(join(tmpdir(), "marking-test-"));
	writeFileSync(join(directory, "show.sh"), SHOW);
	writeFileSync(join(directory, "greeting"), "greeting=hello\n");
	// A program that is no bash at all, whatever its name says.
	writeFileSync(join(directory, "bash"), `#!/bin/sh\n${SHOW}\n`, { mode: 0o755 });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a command of {@link SHOW} saw of the mark, and what it was left with. */
async function seenBy(command: readonly string[], env: Record<string, string> = {}, options: BoundedRunOptions = {}) {
	const clean = { PATH: process.env.PATH, ...env };
	const { output } = await runBounded(command, { env: clean, cwd: directory, timeoutMs: 60_000, ...options });
	const [limit] = /(?<=Max resident set +)\S+/.exec(output) ?? [];
	return {
		isMarked: Number(limit) >= 2 ** 50,
		variables: output.match(/^(BASH_ENV|ROBOT_LAB_MARK)=.*$/gm) ?? [],
		descriptors: output.match(/(?<=robot-lab-\S*)stdin/g) ?? [],
	};
}

const MARKED = { isMarked: true, variables: [], descriptors: [] };

describe.skipIf(!onLinux)("a command of a run that can be ended carries a mark, and nothing else of it is left to it:", () => {
	it.each([
		["bash -c", ["bash", "-c", SHOW]],
		["a script of bash's", ["bash", "show.sh"]],
		["bash by its path", ["/bin/bash", "./show.sh", "an argument"]],
		["bash -e", ["bash", "-e", "show.sh"]],
		["bash -eu -c", ["bash", "-eu", "-c", SHOW]],
		["bash as a login shell", ["bash", "-l", "show.sh"]],
		["bash that shows its commands", ["bash", "-x", "show.sh"]],
		["sh", ["sh", "-c", SHOW]],
		["env", ["env", "A=1", "bash", "show.sh"]],
		["bash in bash", ["bash", "-c", "bash show.sh"]],
	])("%s", async (_, command) => {
		expect(await seenBy(command)).toEqual(MARKED);
	});

	it.each([
		["POSIXLY_CORRECT", "1"],
		["SHELLOPTS", "posix"],
		["BASHOPTS", "expand_aliases"],
		["BASH_FUNC_ulimit%%", "() { :; }"],
		["BASH_FUNC_eval%%", "() { :; }"],
	])("bash, with %s set", async (name, value) => {
		expect(await seenBy(["bash", "show.sh"], { [name]: value })).toEqual(MARKED);
	});

	it("a program that is named bash and is none", async () => {
		expect(await seenBy(["bash", "show.sh"], { PATH: `${directory}:${process.env.PATH}` })).toEqual(MARKED);
	});

	it("bash with descriptors of the caller's", async () => {
		expect(await seenBy(["bash", "show.sh"], {}, { fds: [1, 2] })).toEqual(MARKED);
	});
});

describe.skipIf(!onLinux)("markingFor()", () => {
	const markedPlan = async (command: readonly string[], env: Record<string, string> = {}) => {
		const plan = planRun(command, { env: { PATH: process.env.PATH, ...env } });
		return (await markingFor(plan))?.(plan, 2 ** 50);
	};

	it("lets bash mark itself, which saves a program", async () => {
		expect(await markedPlan(["bash", "show.sh"])).toMatchObject({ command: ["bash", "show.sh"], fds: [expect.any(Number)] });
	});

	it("leaves a BASH_ENV of the caller's alone", async () => {
		const caller = { BASH_ENV: join(directory, "greeting") };
		expect((await markedPlan(["bash", "show.sh"], caller))?.env).toMatchObject(caller);
		const { output } = await runBounded(["bash", "-c", 'echo "$greeting"'], {
			env: { PATH: process.env.PATH, ...caller },
			timeoutMs: 60_000,
		});
		expect(output).toBe("hello\n");
	});

	it("marks anything else through prlimit", async () => {
		expect(await markedPlan(["sh", "show.sh"])).toMatchObject({
			command: [await markLauncher(), `--rss=${2 ** 50}`, "--", "sh", "show.sh"],
		});
	});
});

it.skipIf(!onLinux)("bash finds a command it was given that does not exist, as it does without a mark", async () => {
	for (const options of [{}, { timeoutMs: 60_000 }]) {
		expect(await runBounded(["bash", "no-such-script.sh"], { cwd: directory, ...options })).toMatchObject({
			exitCode: 127,
			output: "bash: no-such-script.sh: No such file or directory\n",
		});
	}
});
