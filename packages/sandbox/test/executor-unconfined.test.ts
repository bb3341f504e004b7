import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Capabilities, type CapabilitiesInit, configure, reloadConfig, type ScriptOptions } from "@robot-lab/core";
import { afterEach, describe, expect, it } from "vitest";
import { chooseStrategy } from "../src/choose.js";
import { createExecutor } from "../src/executor.js";
import { lives, put, workshop } from "./support/workshop.js";

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

	it("keeps no more output than the grant allows, and runs all the same where another limit is asked for", async () => {
		configure({ sandbox: { enabled: true } });
		const { run } = stage("head -c 50000 /dev/zero | tr '\\0' x", { limits: { outputBytes: 100, memoryMb: 100 } });
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
