import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoundedRunOptions, runBounded } from "../../src/process/index.js";
import { canLookForSurvivors, endLiving, living, onLinux, uniqueSleep, untilLiving } from "./living.js";

const bash = (script: string, options: BoundedRunOptions = {}) => runBounded(["bash", "-c", script], options);

let directory: string;
beforeAll(() => {
	directory = mkdtempSync(join(tmpdir(), "ending-test-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/**
 * Ignores SIGTERM, forks without end, and starts children that leave the group in every way that can be followed. Each of them ticks or
 * sleeps. Without marks, as on macOS, an orphan that has left the group before anybody looked is not followed.
 */
function unruly(marker: string, ticks: string): string {
	return `
trap "" TERM HUP INT
echo begun
tick() { while :; do echo x >> ${ticks}; sleep 0.02; done; : ${marker}; }
tick &
setsid bash -c 'trap "" TERM; while :; do echo x >> ${ticks}; sleep 0.02; done; : ${marker}' &
nohup sleep ${marker} > /dev/null 2>&1 &
env -i PATH="$PATH" setsid sleep ${marker} < /dev/null > /dev/null 2>&1 &
${onLinux ? orphans(marker) : ""}
while :; do setsid sleep ${marker} & sleep 0.05; done`;
}

function orphans(marker: string): string {
	return `
(setsid bash -c '(sleep ${marker} &) ; exit 0' &)
(env -i setsid /bin/sleep ${marker} < /dev/null > /dev/null 2>&1 &)
python3 -c '
import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.closerange(0, 3)
os.execve("/bin/sleep", ["sleep", "${marker}"], {})
'`;
}

/**
 * What is alive of a run that was ended. At a deadline the time bound comes first: on a starved host the promise may settle while what
 * was killed is still dying, so it gets a moment.
 */
const leftAlive = (marker: string): Promise<number[]> => untilLiving(marker, 0);

const ticksIn = (file: string): number => statSync(file).size;

describe("runBounded() at its deadline", () => {
	it.skipIf(!canLookForSurvivors)("leaves nothing alive of a script that ignores SIGTERM, forks, and flees from its group", async () => {
		const marker = uniqueSleep();
		const ticks = join(directory, "deadline");
		const result = await bash(unruly(marker, ticks), { timeoutMs: 2000 });
		expect(await leftAlive(marker)).toEqual([]);
		expect(result).toMatchObject({ timedOut: true, aborted: false, exitCode: null, signal: "SIGKILL", output: "begun\n" });
		expect(result.survivorsKilled).toBeGreaterThanOrEqual(6);
		const before = ticksIn(ticks);
		expect(before).toBeGreaterThan(0);
		await delay(200);
		expect(ticksIn(ticks)).toBe(before);
	});

	it.skipIf(!canLookForSurvivors)("is needed for that: killing the group alone leaves survivors", async () => {
		const marker = uniqueSleep();
		const ticks = join(directory, "control");
		const child = spawn("bash", ["-c", unruly(marker, ticks)], { detached: true, stdio: "ignore" });
		// By the time its loop has started so many more, those before it have fled.
		await expect.poll(() => living(marker).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(20);
		process.kill(-(child.pid as number), "SIGKILL");
		await once(child, "exit");
		const before = ticksIn(ticks);
		await expect.poll(() => ticksIn(ticks), { timeout: 30_000 }).toBeGreaterThan(before);
		expect(living(marker).length).toBeGreaterThanOrEqual(5);
		endLiving(marker);
	});

	it("comes back from a command that would go on for ever, with what was written until then", async () => {
		const result = await bash('trap "" TERM; echo partial; while :; do sleep 0.01; done', { timeoutMs: 300 });
		expect(result).toMatchObject({ timedOut: true, output: "partial\n", signal: "SIGKILL" });
		// Half a second is the promise; ten are for a machine that has other things to do.
		expect(result.durationMs).toBeLessThan(10_000);
	});

	it("lets a command that heeds SIGTERM clean up, and gives its exit code", async () => {
		const result = await bash('trap "echo cleaned; exit 5" TERM; echo begun; while :; do sleep 0.01; done', { timeoutMs: 200 });
		expect(result).toMatchObject({ timedOut: true, exitCode: 5, signal: null, survivorsKilled: 0 });
		// bash may say that its sleep was terminated.
		expect(result.output).toMatch(/^begun\n(Terminated\n)?cleaned\n$/);
	});

	it.skipIf(!canLookForSurvivors)("kills what the leader leaves behind when it heeds SIGTERM", async () => {
		const marker = uniqueSleep();
		const script = `trap "exit 5" TERM; (trap "" TERM; sleep ${marker}) & setsid sleep ${marker} & while :; do sleep 0.01; done`;
		const result = await bash(script, { timeoutMs: 200 });
		expect(result).toMatchObject({ timedOut: true, exitCode: 5 });
		expect(await leftAlive(marker)).toEqual([]);
	});

	it.skipIf(!canLookForSurvivors)("ends a process that is stopped", async () => {
		const marker = uniqueSleep();
		const result = await bash(`sleep ${marker} & kill -STOP $!; kill -STOP $$`, { timeoutMs: 200 });
		expect(result.timedOut).toBe(true);
		expect(await leftAlive(marker)).toEqual([]);
	});

	// Followed by its mark alone, which is Linux's.
	it.skipIf(!onLinux)("ends a chain in which each process starts the next in a new session and ends", async () => {
		const marker = uniqueSleep();
		const go = join(directory, "chain-may-go-on");
		const script = join(directory, "chain.sh");
		writeFileSync(go, "");
		writeFileSync(
			script,
			`trap "" TERM; [ -e ${go} ] || exit 0; : ${marker}; sleep 0.01\nenv -i PATH="$PATH" setsid bash "$0" ${marker} < /dev/null > /dev/null 2>&1 &\n`,
		);
		const result = await bash(`bash ${script} ${marker}; sleep 30`, { timeoutMs: 300 });
		expect(result.timedOut).toBe(true);
		expect(await untilLiving(marker, 0)).toEqual([]);
		await delay(200);
		expect(await leftAlive(marker)).toEqual([]);
		rmSync(go);
	});
});

describe("runBounded() when its signal aborts", () => {
	it.skipIf(!canLookForSurvivors)("leaves nothing alive either", async () => {
		const marker = uniqueSleep();
		const ticks = join(directory, "abort");
		const abort = new AbortController();
		const run = bash(unruly(marker, ticks), { signal: abort.signal });
		await expect.poll(() => living(marker).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(12);
		abort.abort();
		expect(await run).toMatchObject({ aborted: true, timedOut: false, output: "begun\n" });
		expect(await leftAlive(marker)).toEqual([]);
	});

	it("does not mind an abort after the end", async () => {
		const abort = new AbortController();
		expect(await bash("echo done", { signal: abort.signal })).toMatchObject({ aborted: false, output: "done\n" });
		abort.abort();
	});

	it("takes no listener along on a signal that lives long", async () => {
		const { signal } = new AbortController();
		const warnings: Error[] = [];
		const warn = (warning: Error) => warnings.push(warning);
		process.on("warning", warn);
		for (let count = 0; count < 15; count += 1) await bash("true", { signal });
		await Promise.all(Array.from({ length: 15 }, () => bash("true", { signal })));
		process.removeListener("warning", warn);
		expect(warnings).toEqual([]);
	});

	it("answers all runs that share a signal", async () => {
		const abort = new AbortController();
		let begun = 0;
		const onOutput = () => (begun += 1);
		const runs = Array.from({ length: 10 }, () => bash("echo begun; sleep 20", { signal: abort.signal, onOutput }));
		for (let waited = 0; begun < 10 && waited < 5000; waited += 10) await delay(10);
		abort.abort();
		for (const result of await Promise.all(runs)) expect(result).toMatchObject({ aborted: true, output: "begun\n", signal: "SIGTERM" });
	});
});

describe("runBounded() with survivors: kill", () => {
	// What is orphaned before anybody looked is followed by marks, which are Linux's.
	it.skipIf(!onLinux)("leaves nothing alive when the command ends by itself", async () => {
		const marker = uniqueSleep();
		const ticks = join(directory, "survivors");
		const script = unruly(marker, ticks).replace("while :; do setsid sleep", "for i in 1 2 3; do setsid sleep");
		const result = await bash(script, { survivors: "kill" });
		expect(living(marker)).toEqual([]);
		expect(result).toMatchObject({ exitCode: 0, timedOut: false, output: "begun\n" });
		expect(result.survivorsKilled).toBeGreaterThanOrEqual(6);
	});

	it.skipIf(!canLookForSurvivors)("ends what has left the group and was seen while the command ran", async () => {
		const marker = uniqueSleep();
		const script = `setsid sleep ${marker} & setsid bash -c 'sleep ${marker}; :' > /dev/null 2>&1 & sleep ${marker} & sleep 1.5; echo done`;
		expect(await bash(script, { survivors: "kill" })).toMatchObject({ output: "done\n", survivorsKilled: 4 });
		expect(living(marker)).toEqual([]);
	});

	const inGroup = [
		["a child in the group", "sleep MARKER > /dev/null 2>&1 &"],
		["a child that holds the pipe", "sleep MARKER &"],
		["a child that ignores SIGTERM", "(trap '' TERM; exec sleep MARKER) &"],
	] as const;
	const fleeing = [
		["a child in a session of its own", "setsid sleep MARKER > /dev/null 2>&1 &"],
		[
			"an orphan without environment, session and descriptors of the run",
			"(env -i setsid /bin/sleep MARKER < /dev/null > /dev/null 2>&1 &)",
		],
		["a child in a session of its own that ignores SIGTERM", "(trap '' TERM; exec setsid sleep MARKER) &"],
	] as const;
	const endsAtOnce = async (_: string, script: string): Promise<void> => {
		for (let count = 0; count < 3; count += 1) {
			const marker = uniqueSleep();
			const result = await bash(`${script.replace("MARKER", marker)}\necho done`, { survivors: "kill" });
			expect(living(marker)).toEqual([]);
			expect(result).toMatchObject({ output: "done\n", exitCode: 0 });
		}
	};
	it.skipIf(!canLookForSurvivors).each(inGroup)("ends %s of a command that is over in a moment", endsAtOnce);
	// Followed by their marks.
	it.skipIf(!onLinux).each(fleeing)("ends %s of a command that is over in a moment", endsAtOnce);

	it("kills none where there is none", async () => {
		expect(await bash("echo done | cat", { survivors: "kill" })).toMatchObject({ survivorsKilled: 0, output: "done\n" });
	});

	it.skipIf(!canLookForSurvivors)("spares the survivors of other runs", async () => {
		const [mine, theirs] = [uniqueSleep(), uniqueSleep()];
		await Promise.all([
			bash(`setsid sleep ${mine} & sleep 0.7`, { survivors: "kill" }),
			bash(`setsid sleep ${theirs} & sleep 0.7`, { timeoutMs: 60_000 }),
		]);
		expect(living(mine)).toEqual([]);
		expect(living(theirs)).toHaveLength(1);
		endLiving(theirs);
	});

	// Followed by its mark.
	it.skipIf(!onLinux)("finds what a run inside the run has started", async () => {
		const marker = uniqueSleep();
		const inner = `import("@robot-lab/core/process").then(({ runBounded }) => runBounded(["bash", "-c", "(env -i setsid sleep ${marker} > /dev/null 2>&1 < /dev/null &); setsid sleep ${marker} & sleep ${marker}"], { timeoutMs: 60000 }))`;
		const result = await runBounded([process.execPath, "--input-type=module", "--eval", inner], {
			timeoutMs: 1500,
			cwd: import.meta.dirname,
		});
		expect(result).toMatchObject({ timedOut: true, output: "" });
		expect(await leftAlive(marker)).toEqual([]);
	});
});

it.skipIf(!onLinux)("a mark is a limit that its process really has", async () => {
	const { output } = await bash("grep 'Max resident set' /proc/self/limits", { timeoutMs: 5000 });
	expect(Number(/(\d+) +bytes/.exec(output)?.[1])).toBeGreaterThanOrEqual(2 ** 50);
	expect(readFileSync("/proc/self/limits", "utf8")).not.toContain(/(\d+) +bytes/.exec(output)?.[1]);
});

it.skipIf(!canLookForSurvivors)("a host that has no descriptor left ends its run at the deadline all the same", async () => {
	const marker = uniqueSleep();
	const fixture = join(import.meta.dirname, "fixtures/no-descriptors.mjs");
	const { stdout } = spawnSync("bash", ["-c", 'ulimit -n 100; exec "$@"', "bash", process.execPath, fixture], {
		encoding: "utf8",
		env: { ...process.env, MARKER: marker },
		timeout: 20_000,
	});
	expect(stdout).toBe('{"timedOut":true,"signal":"SIGKILL"}\n');
	expect(await leftAlive(marker)).toEqual([]);
});
