import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Capabilities, type CapabilitiesInit, configure, reloadConfig, type ScriptOptions } from "@robot-lab/core";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createExecutor } from "../src/run/executor.js";
import { chooseStrategy } from "../src/strategy/choose.js";
import { lives, moveTemporaryDirectory, put, workshop } from "./support/workshop.js";

afterEach(() => {
	reloadConfig();
});

/** setsid, which macOS has no program for. */
const NEW_SESSION = "perl -e 'use POSIX (); POSIX::setsid(); exec @ARGV or die'";

function stage(script: string, declared: CapabilitiesInit = {}, platform: NodeJS.Platform = "linux") {
	const directory = workshop();
	const skillDir = join(directory, "skill");
	const file = put(join(skillDir, "scripts", "run.sh"), `#!/bin/bash\n${script}\n`, 0o755);
	const executor = createExecutor({ platform, choose: chooseStrategy });
	const capabilities = new Capabilities(declared);
	return {
		directory,
		skillDir,
		run: (options: Partial<ScriptOptions> = {}) => executor.run(["bash", file], { capabilities, skillDir, ...options }),
	};
}

describe("Executor, not enabled", () => {
	it("runs as core does: the host's environment, no timeout of its own, confinement none", async () => {
		process.env.TEST_API_KEY = "sesame";
		const { run } = stage('sleep 1.3; echo "$TEST_API_KEY"', { timeout: 1 });
		const result = await run();
		delete process.env.TEST_API_KEY;
		expect(result).toMatchObject({ output: "sesame\n", exitCode: 0, timedOut: false, confinement: "none" });
	});

	it("is not enabled by a section that does not say so", async () => {
		configure({ sandbox: { fsRead: ["."] } });
		expect(await stage("echo x", { timeout: 1 }).run()).toMatchObject({ output: "x\n", confinement: "none" });
	});
});

describe("Executor, enabled where nothing confines", () => {
	it("keeps the host's environment and says none", async () => {
		configure({ sandbox: { enabled: true } });
		process.env.TEST_API_KEY = "sesame";
		const { run, skillDir } = stage('echo "$TEST_API_KEY"; echo "$SKILL_DIR"');
		const result = await run();
		delete process.env.TEST_API_KEY;
		expect(result).toMatchObject({ output: `sesame\n${skillDir}\n`, confinement: "none" });
	});

	it("ends a script and all it started when the grant's timeout is over", async () => {
		configure({ sandbox: { enabled: true, timeout: 1 } });
		const { run, directory } = stage(
			`trap '' TERM; ${NEW_SESSION} bash -c 'trap "" TERM; echo $$ > "$1"; sleep 60' x "$WORK/pid" & echo partial; wait`,
			{ timeout: 30 },
		);
		const told: string[] = [];
		const result = await run({ env: { WORK: directory }, onLifecycle: (reason) => told.push(reason) });
		expect(result).toMatchObject({ timedOut: true, confinement: "none" });
		expect(result.output).toContain("partial\n");
		expect(lives(Number(readFileSync(join(directory, "pid"), "utf8")))).toBe(false);
		expect(told).toEqual(["command_start", "command_interrupted"]);
	});

	it("keeps no more output than the grant allows", async () => {
		configure({ sandbox: { enabled: true } });
		const { run } = stage("head -c 50000 /dev/zero | tr '\\0' x", { limits: { outputBytes: 100 } });
		expect(await run()).toMatchObject({ exitCode: 0, confinement: "none", truncatedBytes: 49_900 });
	});

	it("ends a script when its caller calls it off", async () => {
		configure({ sandbox: { enabled: true } });
		const { run } = stage("echo here; sleep 60");
		const controller = new AbortController();
		const result = await run({ signal: controller.signal, onOutput: () => controller.abort() });
		expect(result).toMatchObject({ aborted: true, output: "here\n" });
	});

	it("leaves alone what a script that ended by itself left running, and settles before it ends", async () => {
		configure({ sandbox: { enabled: true } });
		const { run, directory } = stage(`sleep 60 & echo $! > "$WORK/pid"; echo done`);
		const result = await run({ env: { WORK: directory } });
		const pid = Number(readFileSync(join(directory, "pid"), "utf8"));
		expect(result).toMatchObject({ output: "done\n", exitCode: 0 });
		expect(lives(pid)).toBe(true);
		process.kill(pid, "SIGKILL");
	});

	it("runs a trusted bundle unconfined on macOS too", async () => {
		configure({ sandbox: { enabled: true } });
		expect(await stage("echo x", { trust: "core" }, "darwin").run()).toMatchObject({ output: "x\n", confinement: "none" });
	});
});

describe("Executor, enabled where nothing confines, with sandbox.env: scrub", () => {
	/** What a run of `env` says, by name. */
	const variablesOf = (output: string): Record<string, string> =>
		Object.fromEntries(
			output.split("\n").flatMap((line) => [/^([^=]+)=(.*)$/.exec(line)?.slice(1) ?? []].filter(({ length }) => length === 2)),
		);

	const withHost = async <T>(use: () => Promise<T>): Promise<T> => {
		const own = { TEST_API_KEY: "sesame", TEST_PLAIN: "of the host", LD_AUDIT: "" };
		Object.assign(process.env, own);
		try {
			return await use();
		} finally {
			for (const name of Object.keys(own)) delete process.env[name];
		}
	};

	it.each([
		["an untrusted bundle on Linux", {}, "linux"],
		["a trusted bundle on macOS", { trust: "core" }, "darwin"],
	] as const)("gives %s what a confined script gets of the environment", async (_, declared, platform) => {
		const { run, skillDir } = stage("env", declared, platform);
		await withHost(async () => {
			configure({ sandbox: { enabled: true } });
			expect(variablesOf((await run()).output)).toMatchObject({ TEST_API_KEY: "sesame", TEST_PLAIN: "of the host" });
			configure({ sandbox: { env: "scrub" } });
			const result = await run({ env: { CHOSEN_TOKEN: "by the caller", BASH_ENV: "/x" } });
			const variables = variablesOf(result.output);
			expect(result).toMatchObject({ exitCode: 0, confinement: "none" });
			expect(result.output).not.toMatch(/sesame|TEST_|LD_AUDIT|BASH_ENV/);
			expect(variables).toMatchObject({
				PATH: process.env.PATH,
				SKILL_DIR: skillDir,
				WORK_DIR: process.cwd(),
				CHOSEN_TOKEN: "by the caller",
			});
			expect(variables.GIT_CONFIG_GLOBAL).toBe("/dev/null");
			configure({ sandbox: { envPass: ["TEST_API_KEY"] } });
			expect(variablesOf((await run()).output)).toMatchObject({ TEST_API_KEY: "sesame" });
			expect((await run()).output).not.toContain("TEST_PLAIN");
		});
	});

	it("gives it a temporary directory of its own, which is gone afterwards", async () => {
		configure({ sandbox: { enabled: true, env: "scrub" } });
		const { output } = await stage('echo "$TMPDIR"; stat -c %a "$TMPDIR"; mkdir "$TMPDIR/d" && touch "$TMPDIR/d/x" && echo made').run();
		const [path = "", ...rest] = output.trim().split("\n");
		expect(path).toMatch(/\/robot-lab-run-[^/]+$/);
		expect(rest).toEqual(["700", "made"]);
		expect(existsSync(path)).toBe(false);
	});

	it("keeps the timeout, the output budget, the caller's abort and the working directory of other unconfined runs", async () => {
		configure({ sandbox: { enabled: true, env: "scrub", timeout: 1 } });
		const greedy = stage("head -c 50000 /dev/zero | tr '\\0' x", { limits: { outputBytes: 100 } });
		expect(await greedy.run()).toMatchObject({ exitCode: 0, truncatedBytes: 49_900 });
		expect(await stage("echo partial; sleep 60").run()).toMatchObject({ timedOut: true, output: "partial\n" });
		const { run, directory } = stage("pwd; sleep 60");
		const controller = new AbortController();
		const aborted = await run({ cwd: directory, signal: controller.signal, onOutput: () => controller.abort() });
		expect(aborted).toMatchObject({ aborted: true, output: `${directory}\n` });
	});

	it("is scratch_not_made where there can be no such directory, and the script does not run", async () => {
		configure({ sandbox: { enabled: true, env: "scrub" } });
		const { run, directory } = stage('touch "$WORK/ran"');
		const { restore } = moveTemporaryDirectory("/nowhere");
		onTestFinished(restore);
		expect((await run({ env: { WORK: directory } })).refusal).toMatchObject({ code: "scratch_not_made" });
		expect(existsSync(join(directory, "ran"))).toBe(false);
	});

	it.skipIf(process.platform !== "linux")("is no confinement: the script finds the host's environment in /proc (Linux)", async () => {
		configure({ sandbox: { enabled: true, env: "scrub" } });
		const names = readFileSync("/proc/self/environ", "utf8")
			.split("\0")
			.flatMap((entry) => /^\w+(?==)/.exec(entry) ?? []);
		const own = Object.keys(variablesOf((await stage("env").run()).output));
		const hidden = names.filter((name) => !own.includes(name));
		expect(hidden.length).toBeGreaterThan(0);
		const { output } = await stage("tr '\\0' '\\n' < /proc/$PPID/environ").run();
		expect(Object.keys(variablesOf(output))).toEqual(expect.arrayContaining(hidden));
	});

	it("does nothing while the sandbox is not enabled", async () => {
		configure({ sandbox: { env: "scrub" } });
		await withHost(async () => {
			expect(variablesOf((await stage("env").run()).output)).toMatchObject({ TEST_API_KEY: "sesame" });
		});
	});
});

describe("Executor, with a backend that was named and cannot be had", () => {
	it.each([
		["bubblewrap", "darwin", "unsupported_platform"],
		["seatbelt", "linux", "unsupported_platform"],
	] as const)("refuses %s on %s as %s, and the script does not run", async (backend, platform, code) => {
		configure({ sandbox: { enabled: true, backend } });
		const { run, directory } = stage('touch "$WORK/ran"', {}, platform);
		const result = await run({ env: { WORK: directory } });
		expect(result.refusal).toMatchObject({ code, message: expect.stringContaining(`"${backend}"`) });
		expect(existsSync(join(directory, "ran"))).toBe(false);
	});

	it("refuses what would run unconfined where sandbox.require is true", async () => {
		configure({ sandbox: { enabled: true, require: true } });
		const { run, directory } = stage('touch "$WORK/ran"');
		const result = await run({ env: { WORK: directory } });
		expect(result.refusal).toMatchObject({ code: "unsupported_platform", message: expect.stringContaining("sandbox.require") });
		expect(existsSync(join(directory, "ran"))).toBe(false);
	});

	it("a control: with backend none the same script runs", async () => {
		configure({ sandbox: { enabled: true, backend: "none" } });
		const { run, directory } = stage('touch "$WORK/ran"');
		expect((await run({ env: { WORK: directory } })).refusal).toBeUndefined();
		expect(existsSync(join(directory, "ran"))).toBe(true);
	});
});
