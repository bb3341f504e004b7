import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Capabilities, type CapabilitiesInit, configure, reloadConfig, type ScriptOptions, ScriptTool } from "@robot-lab/core";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createExecutor } from "../src/run/executor.js";
import { evaluateProfile } from "../src/sbpl/index.js";
import { chooseStrategy } from "../src/strategy/choose.js";
import { Null } from "../src/strategy/null.js";
import { standIn } from "./support/stand-in.js";
import { lives, moveTemporaryDirectory, put, workshop } from "./support/workshop.js";

/** The macOS path with a stand-in for /usr/bin/sandbox-exec: everything but what the kernel of a Mac does. */
beforeEach(() => {
	configure({ sandbox: { enabled: true } });
});
afterEach(() => {
	reloadConfig();
});

/** setsid, which macOS has no program for. */
const NEW_SESSION = "perl -e 'use POSIX (); POSIX::setsid(); exec @ARGV or die'";
/** Without /proc, what left its group before the process table is first read is not found. */
const noProc = process.platform !== "linux";

let temporary: string;
beforeEach(() => {
	temporary = workshop();
	const { restore } = moveTemporaryDirectory(temporary);
	onTestFinished(restore);
});
const leftovers = (): string[] => readdirSync(temporary).filter((name) => name.startsWith("robot-lab-"));

function stage(script: string, declared: CapabilitiesInit = {}, behaviour?: string) {
	const directory = workshop();
	const skillDir = join(directory, "skill");
	const file = put(join(skillDir, "scripts", "run.sh"), `#!/bin/bash\n${script}\n`, 0o755);
	const { host, notes } = standIn(directory, behaviour);
	const executor = createExecutor(host);
	const capabilities = new Capabilities(declared);
	const note = (name: string): string => readFileSync(join(notes, name), "utf8");
	const run = (options: Partial<ScriptOptions> = {}) => executor.run(["bash", file], { capabilities, skillDir, ...options });
	return { directory, skillDir, file, run, note, ran: () => note("argv") !== "" };
}

describe("Executor on macOS", () => {
	it("runs sandbox-exec -f <profile> <command> and says seatbelt", async () => {
		const { run, note, file } = stage("echo hello");
		const result = await run();
		expect(result).toMatchObject({ output: "hello\n", exitCode: 0, confinement: "seatbelt" });
		expect(note("argv").trim().split("\n")).toEqual(["-f", note("file"), "bash", file]);
	});

	it("keeps the profile where only this user can read it while the script runs, and removes it afterwards", async () => {
		const { run, note } = stage("true");
		await run();
		expect(note("modes")).toBe("-rw-------\ndrwx------\n");
		expect(dirname(note("file"))).toMatch(/\/robot-lab-seatbelt-[^/]+$/);
		expect(existsSync(dirname(note("file")))).toBe(false);
		expect(leftovers()).toEqual([]);
	});

	it("writes a profile of the grant: declared and below the ceiling", async () => {
		const { run, note, directory, skillDir } = stage("true", { fsRead: ["in", "out-of-reach"], fsWrite: ["out"], network: true });
		configure({ sandbox: { enabled: true, fsRead: [join(directory, "in")], fsWrite: [join(directory, "out")] } });
		await run({
			capabilities: new Capabilities({ fsRead: [join(directory, "in"), "/etc"], fsWrite: [join(directory, "out")], network: true }),
		});
		const decide = evaluateProfile(note("profile.sb"));
		const macSpelling = (path: string): string => path.replace(/^\/tmp\//, "/private/tmp/").replace(/^\/var\//, "/private/var/");
		const reads = (path: string): boolean => decide("file-read-data", { path: macSpelling(path), vnodeType: "REGULAR-FILE" }).allowed;
		const writes = (path: string): boolean => decide("file-write-data", { path: macSpelling(path), vnodeType: "REGULAR-FILE" }).allowed;
		expect([reads(join(directory, "in/x")), reads(join(skillDir, "SKILL.md")), reads(join(directory, "other"))]).toEqual([
			true,
			true,
			false,
		]);
		expect([writes(join(directory, "out/x")), writes(join(directory, "in/x")), writes(join(skillDir, "x"))]).toEqual([true, false, false]);
		expect(decide("network-outbound", { remote: "1.2.3.4:443" }).allowed).toBe(false);
		expect(decide("file-read-data", { path: "/private/etc/master.passwd", vnodeType: "REGULAR-FILE" }).allowed).toBe(false);
	});

	it("gives each run a temporary directory of its own, private, granted, and gone afterwards", async () => {
		const { run, note } = stage('echo "$TMPDIR"; ls -ld "$TMPDIR" | cut -c1-10; touch "$TMPDIR/x"; mkdir "$TMPDIR/d"; chmod 0 "$TMPDIR/d"');
		const [first, second] = [await run(), await run()];
		const [path = "", mode] = first.output.split("\n");
		expect(mode).toBe("drwx------");
		expect(second.output.split("\n")[0]).not.toBe(path);
		expect(existsSync(path)).toBe(false);
		const granted = second.output.split("\n")[0]?.replace(/^\/tmp\//, "/private/tmp/") ?? "";
		expect(evaluateProfile(note("profile.sb"))("file-write-create", { path: `${granted}/x`, vnodeType: "REGULAR-FILE" }).allowed).toBe(
			true,
		);
	});

	it("hands over no secret of the host and nothing by which code is loaded", async () => {
		process.env.TEST_API_KEY = "sesame";
		process.env.LC_SECRET = "sesame";
		process.env.HARMLESS = "but not listed";
		try {
			const { run, skillDir } = stage("env");
			const { output } = await run({ env: { CHOSEN: "yes", CHOSEN_TOKEN: "handed over by name", LD_PRELOAD: "/x.so", BASH_ENV: "/x.sh" } });
			expect(output).not.toMatch(/sesame|HARMLESS|LD_PRELOAD|BASH_ENV/);
			expect(output).toContain("CHOSEN=yes\n");
			expect(output).toContain("CHOSEN_TOKEN=handed over by name\n");
			expect(output).toContain(`SKILL_DIR=${skillDir}\n`);
			expect(output).toContain(`WORK_DIR=${process.cwd()}\n`);
			expect(output).toContain("GIT_CONFIG_GLOBAL=/dev/null\n");
			expect(output).toContain("xcrun_nocache=1\n");
		} finally {
			for (const name of ["TEST_API_KEY", "LC_SECRET", "HARMLESS"]) delete process.env[name];
		}
	});

	it("ends everything a script started when its time is up, TERM ignored and session left or not", async () => {
		const { run, directory } = stage(
			`trap '' TERM; ${NEW_SESSION} bash -c 'trap "" TERM; echo $$ > "$1"; sleep 60' x "$WORK/pid" & echo started; wait`,
			{ timeout: 1 },
		);
		const told: string[] = [];
		const result = await run({ env: { WORK: directory }, onLifecycle: (reason) => told.push(reason) });
		expect(result).toMatchObject({ timedOut: true, confinement: "seatbelt" });
		expect(result.output).toContain("started\n");
		expect(lives(Number(readFileSync(join(directory, "pid"), "utf8")))).toBe(false);
		expect(told).toEqual(["sandbox_boot", "sandbox_ready", "command_start", "sandbox_killed", "command_interrupted"]);
	});

	it.skipIf(noProc)("leaves nothing alive that a script left behind when it ended by itself", async () => {
		const { run, directory } = stage(
			`${NEW_SESSION} bash -c 'echo $$ > "$1"; sleep 60' x "$WORK/pid" & until [ -s "$WORK/pid" ]; do sleep 0.02; done`,
		);
		expect(await run({ env: { WORK: directory } })).toMatchObject({ exitCode: 0, timedOut: false });
		expect(lives(Number(readFileSync(join(directory, "pid"), "utf8")))).toBe(false);
	});

	it("tells the steps of a run that goes well", async () => {
		const told: [string, unknown][] = [];
		await stage("true").run({ onLifecycle: (reason, detail) => told.push([reason, detail]) });
		expect(told.map(([reason]) => reason)).toEqual(["sandbox_boot", "sandbox_ready", "command_start", "command_complete"]);
		expect(told[2]?.[1]).toMatchObject({ confinement: "seatbelt", pid: expect.any(Number) });
	});

	it.each([
		["dyld[7]: Library not loaded: @rpath/libacme.dylib", 134],
		["Fatal Python error: init_fs_encoding: failed to get the Python codec of the filesystem encoding", 1],
		["", 134],
	])("says what may be missing when an interpreter of no known place fails with %j", async (words, code) => {
		const { directory, skillDir, file } = stage("true");
		const interpreter = put(join(directory, "acme/bin/run"), `#!/bin/bash\necho ${JSON.stringify(words)}; exit ${code}\n`, 0o755);
		const executor = createExecutor(standIn(directory).host);
		const run = (declared: CapabilitiesInit = {}) =>
			executor.run([interpreter, file], { capabilities: new Capabilities(declared), skillDir });
		configure({ sandbox: { enabled: true, fsRead: [directory] } });
		const result = await run();
		expect(result).toMatchObject({ exitCode: code, confinement: "seatbelt", note: expect.stringContaining(JSON.stringify(interpreter)) });
		expect(result.note).toContain("only the file itself is readable");
		expect((await run({ fsRead: [join(directory, "acme")] })).note ?? "").not.toContain("only the file itself");
		put(interpreter, "#!/bin/bash\necho mine; exit 1\n", 0o755);
		expect((await run()).note).not.toContain("only the file itself");
	});

	it("adds what was granted when a failed script was refused something", async () => {
		const { run, directory } = stage("echo 'cat: /x: Operation not permitted' >&2; exit 1");
		configure({ sandbox: { fsRead: [directory] } });
		const result = await run({ capabilities: new Capabilities({ fsRead: [directory] }) });
		expect(result.note).toBe(`The sandbox may have refused this. Granted: read ${JSON.stringify(directory)}, write nothing, network no.`);
		expect(ScriptTool.formatResult(result)).toMatch(
			/^Error \(exit 1\):\ncat: \/x: Operation not permitted\nThe sandbox may have refused this\./,
		);
		expect((await stage("echo 'Operation not permitted'").run()).note).toBeUndefined();
		const missing = stage("echo 'no such file'; exit 1");
		configure({ sandbox: { fsRead: [missing.directory] } });
		expect((await missing.run({ capabilities: new Capabilities({ fsRead: [missing.directory] }) })).note).toBeUndefined();
	});

	it("says to whom nothing at all was granted who can change that, whatever the script says, and what the ceiling keeps back", async () => {
		const { run } = stage("echo 'sales.csv ist nicht da'; exit 3");
		const { note } = await run();
		expect(note).toMatch(
			/^The sandbox may have refused this\. Granted: read nothing, write nothing, network no\. Nothing is granted to this skill\./,
		);
		expect(note).toContain('robot-lab.fs_read: "."');
		expect(note).toContain(
			"in the configuration (skills.grants) or for once: skills run … --grant fs_read=DIR, run or mcp … --grant SKILL:fs_read=DIR.",
		);
		const kept = (await run({ capabilities: new Capabilities({ fsRead: ["/etc"], network: true }) })).note;
		expect(kept).toMatch(
			/network no\. The ceiling kept back more: sandbox\.fs_read \(--allow-read\), sandbox\.network \(--allow-network\) raises it\.$/,
		);
	});

	it("says what was granted behind what else a script's end may mean, which the script could bring about", async () => {
		const { note } = await stage("echo 'sandbox-exec: execvp() of x failed: Operation not permitted'; exit 71").run();
		expect(note).toMatch(
			/^The command may not have been found inside the sandbox\. .* Granted: read nothing, write nothing, network no\. Nothing is granted to this skill\./,
		);
	});
});

describe("Executor on macOS, with limits", () => {
	const LOUD = "head -c 50000 /dev/zero | tr '\\0' x";

	it.each([
		["the bundle's", { declared: 100 }, 100],
		["the ceiling's", { ceiling: 100 }, 100],
		["the smaller of both", { declared: 100, ceiling: 300 }, 100],
		["the caller's where it is smaller", { declared: 400, caller: 100 }, 100],
		["the bundle's where the caller asks for more", { declared: 100, caller: 400 }, 100],
		["everything, without one", {}, 50_000],
	] as const)(
		"keeps as much output as is allowed: %s",
		async (_, limits: { declared?: number; ceiling?: number; caller?: number }, kept) => {
			const { declared, ceiling, caller } = limits;
			configure({ sandbox: { enabled: true, ...(ceiling !== undefined && { limits: { outputBytes: ceiling } }) } });
			const { run } = stage(LOUD, declared === undefined ? {} : { limits: { outputBytes: declared } });
			const result = await run(caller === undefined ? {} : { maxOutputBytes: caller });
			expect(result).toMatchObject({ exitCode: 0, confinement: "seatbelt", truncatedBytes: 50_000 - kept });
			expect(result.output.replace(/[^x]/g, "").length).toBeLessThanOrEqual(kept + 20);
		},
	);

	it.each(["memoryMb", "processes"])("refuses %s, which macOS cannot hold a script to, and the script does not run", async (name) => {
		const { run, directory, ran } = stage('touch "$WORK/ran"', { limits: { [name]: 100 } });
		const env = { WORK: directory };
		const refusal = { code: "grant_not_expressible", message: expect.stringContaining(`limits.${name}`) };
		expect(await run({ env })).toMatchObject({ refusal, exitCode: null, output: "" });
		configure({ sandbox: { enabled: true, limits: { [name]: 50 } } });
		expect(await run({ env, capabilities: new Capabilities() })).toMatchObject({ refusal, exitCode: null });
		expect([ran(), existsSync(join(directory, "ran"))]).toEqual([false, false]);
		reloadConfig();
		configure({ sandbox: { enabled: true } });
		expect(await run({ env, capabilities: new Capabilities() })).toMatchObject({ exitCode: 0 });
		expect(existsSync(join(directory, "ran"))).toBe(true);
	});
});

describe("Executor never runs a script unconfined instead:", () => {
	const CASES = [
		[
			"exit 65",
			"profile_rejected",
			"echo 'sandbox-exec: unbound variable: setenv at <input string>, line 2' >&2; exit 65",
			"unbound variable",
		],
		[
			"exit 71 of a nested sandbox",
			"nested_sandbox",
			"echo 'sandbox-exec: sandbox_apply: Operation not permitted' >&2; exit 71",
			"already runs inside a sandbox",
		],
	] as const;

	it.each(CASES)("%s of sandbox-exec is the refusal %s", async (_, code, behaviour, message) => {
		const { run, directory } = stage('touch "$WORK/ran"', {}, behaviour);
		const result = await run({ env: { WORK: directory } });
		expect(result.refusal).toMatchObject({ code, message: expect.stringContaining(message) });
		expect(result).toMatchObject({ output: "", exitCode: null });
		expect(existsSync(join(directory, "ran"))).toBe(false);
	});

	it("a control: with a sandbox-exec that works the same script runs", async () => {
		const { run, directory } = stage('touch "$WORK/ran"');
		expect((await run({ env: { WORK: directory } })).refusal).toBeUndefined();
		expect(existsSync(join(directory, "ran"))).toBe(true);
	});

	it.each(CASES)("%s that a script pretends is the script's own: what it did is told", async (_, __, pretence) => {
		const { run, directory } = stage(`touch "$WORK/ran"; ${pretence}`);
		const result = await run({ env: { WORK: directory } });
		expect(existsSync(join(directory, "ran"))).toBe(true);
		expect(result).toMatchObject({ confinement: "seatbelt", output: expect.stringContaining("sandbox-exec: ") });
		expect(result.exitCode).not.toBeNull();
		expect(result.refusal).toBeUndefined();
	});

	it("a command that may not have been found inside keeps its output: a script can say the same", async () => {
		const words = "sandbox-exec: execvp() of 'bash' failed: No such file or directory";
		const result = await stage("true", {}, `echo "${words}" >&2; exit 71`).run();
		expect(result).toMatchObject({ exitCode: 71, output: `${words}\n`, confinement: "seatbelt" });
		expect(result.note).toContain("may not have been found inside the sandbox");
		expect(result.refusal).toBeUndefined();
	});

	it("a configuration that changes while a run begins changes nothing about that run", async () => {
		const { run, ran } = stage("echo x", { fsRead: ["/etc"] });
		const change = (): void => {
			configure({ sandbox: { enabled: false, backend: "none" } });
		};
		expect(await run({ onLifecycle: (reason) => reason === "sandbox_boot" && change() })).toMatchObject({ confinement: "seatbelt" });
		expect(ran()).toBe(true);
		configure({ sandbox: { enabled: true } });
		expect(await run()).toMatchObject({ confinement: "none" });
	});

	it("a working directory that is configured anew while a run begins is the next run's", async () => {
		const { run, skillDir } = stage("pwd");
		onTestFinished(() => {
			reloadConfig();
		});
		const change = (): void => {
			configure({ scripts: { cwd: "skill" } });
		};
		expect((await run({ onLifecycle: (reason) => reason === "sandbox_boot" && change() })).output).toBe(`${process.cwd()}\n`);
		expect((await run()).output).toBe(`${skillDir}\n`);
	});

	it("a strategy that confines nothing in the place of one that was to confine is a refusal", async () => {
		const { directory, skillDir, file } = stage('touch "$WORK/ran"');
		const { host } = standIn(directory);
		const capabilities = new Capabilities();
		const attempt = (choose: typeof host.choose) =>
			createExecutor({ ...host, choose }).run(["bash", file], { capabilities, skillDir, env: { WORK: directory } });
		let asked = 0;
		const result = await attempt((grant, options) => (asked++ === 0 ? host.choose(grant, options) : new Null()));
		expect(result).toMatchObject({ refusal: { code: "backend_missing" }, exitCode: null });
		expect(existsSync(join(directory, "ran"))).toBe(false);
		expect(await attempt(host.choose)).toMatchObject({ exitCode: 0 });
		expect(existsSync(join(directory, "ran"))).toBe(true);
	});

	it("arguments that are too long are arguments_too_long, with the name core has for it", async () => {
		const { directory, skillDir, file } = stage("true");
		const executor = createExecutor(standIn(directory).host);
		const result = await executor.run(["bash", file, "x".repeat(3_000_000)], { capabilities: new Capabilities(), skillDir });
		expect(result).toMatchObject({ refusal: { code: "arguments_too_long" }, exitCode: null });
	});

	it.each([65, 71, 134])("exit %i of the script itself stays the script's", async (code) => {
		const result = await stage(`echo mine; exit ${code}`).run();
		expect(result).toMatchObject({ exitCode: code, output: "mine\n" });
		expect(result.refusal).toBeUndefined();
	});

	it("an abort without output keeps its ending and says what it may be", async () => {
		const result = await stage("true", {}, "kill -ABRT $$").run();
		expect(result.signal).toBe("SIGABRT");
		expect(result.note).toContain("may not have started");
		expect((await stage("true", {}, "exit 134").run()).note).toContain("may not have started");
	});

	it("a grant that cannot be expressed is invalid_grant, and nothing is started", async () => {
		configure({ sandbox: { enabled: true, fsWrite: ["/"] } });
		const { run, ran } = stage("true", { fsWrite: ["/"] });
		const told: string[] = [];
		const result = await run({ onLifecycle: (reason) => told.push(reason) });
		expect(result.refusal).toMatchObject({ code: "invalid_grant", message: expect.stringContaining('fs_write "/"') });
		expect(told).toEqual(["sandbox_boot", "sandbox_error", "command_failed"]);
		expect(ran()).toBe(false);
	});

	it("a missing sandbox-exec is backend_missing", async () => {
		const { skillDir, file, directory } = stage("true");
		const { host } = standIn(directory);
		const missing = createExecutor({
			...host,
			choose: (grant, options) => chooseStrategy(grant, { ...options, sandboxExec: "/nowhere/sandbox-exec" }),
		});
		const result = await missing.run(["bash", file], { capabilities: new Capabilities(), skillDir });
		expect(result.refusal).toMatchObject({ code: "backend_missing", message: expect.stringContaining("/nowhere/sandbox-exec") });
	});

	it("a temporary directory that cannot be used is scratch_not_made", async () => {
		const { run, ran } = stage("true");
		const { restore } = moveTemporaryDirectory("/nowhere");
		onTestFinished(restore);
		expect((await run()).refusal).toMatchObject({ code: "scratch_not_made" });
		expect(ran()).toBe(false);
	});

	it("20 runs at once keep their outputs, profiles and temporary directories apart", async () => {
		const { run } = stage('echo "$N $TMPDIR"');
		const results = await Promise.all(Array.from({ length: 20 }, (_, n) => run({ env: { N: String(n) } })));
		expect(results.map((result) => result.output.split(" ")[0])).toEqual(results.map((_, n) => String(n)));
		expect(new Set(results.map((result) => result.output.split(" ")[1])).size).toBe(20);
		expect(leftovers()).toEqual([]);
	});
});
