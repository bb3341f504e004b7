import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type BoundedRunOptions, runBounded } from "../../src/process/index.js";
import { canLookForSurvivors, endLiving, uniqueSleep, untilLiving } from "./living.js";

const bash = (script: string, options: BoundedRunOptions = {}) => runBounded(["bash", "-c", script], options);

const directories: string[] = [];
function freshDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), "settling-test-"));
	directories.push(directory);
	return directory;
}
afterEach(() => {
	for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A command started behind the script, whose pid can be asked for while it lives. */
function inBackground(command: string): { readonly script: string; readonly pid: () => number } {
	const file = join(freshDirectory(), "pid");
	return { script: `(${command}) & echo $! > ${file}`, pid: () => Number(readFileSync(file, "utf8")) };
}

/** Keeps this thread from doing anything else. */
function blockFor(milliseconds: number): void {
	const until = performance.now() + milliseconds;
	while (performance.now() < until);
}

/** Keeps this thread from doing anything else until it is so. */
function blockUntil(isSo: () => boolean): void {
	const until = performance.now() + 20_000;
	const cell = new Int32Array(new SharedArrayBuffer(4));
	while (!isSo()) {
		if (performance.now() > until) throw new Error("what was waited for did not come about in 20 s");
		Atomics.wait(cell, 0, 0, 1);
	}
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Whether a child of this process has ended and been waited for. */
function isGone(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return false;
	} catch {
		return true;
	}
}

describe("runBounded() settles", () => {
	// The children would run for an hour: waiting for one would outlast this test.
	it("when a background child holds the pipe", async () => {
		const { pid, script } = inBackground("sleep 3600");
		expect(await bash(`${script}; echo done`)).toMatchObject({ exitCode: 0, output: "done\n", survivorsKilled: 0 });
		process.kill(pid(), "SIGKILL");
	});

	it("when a background child writes for ever", async () => {
		const { pid, script } = inBackground("while :; do echo noise; done");
		expect((await bash(`${script}; echo done`, { maxOutputBytes: 4096 })).exitCode).toBe(0);
		process.kill(pid(), "SIGKILL");
	});

	// A busy computer may not even get to the process in the 50 ms of a moment, so it writes all the time, and its last words while this
	// thread does nothing else, once what was in the pipe at the command's exit has been read.
	it("with the output of a process that outlives the command for a moment", async () => {
		const directory = freshDirectory();
		const [pid, steps, go, written] = ["pid", "steps", "go", "written"].map((name) => join(directory, name)) as [
			string,
			string,
			string,
			string,
		];
		const survivor = `until [ -e ${go} ] || [ ! -e ${pid} ]; do echo noise; echo >> ${steps}; done; echo last words; touch ${written}`;
		let isAsked = false;
		const onOutput = (): void => {
			if (isAsked) return;
			// Until the command is gone, the pipe never runs dry: of two steps one at least was written after this was read.
			const begun = sizeOf(steps);
			blockUntil(() => sizeOf(steps) > begun + 1);
			if (!existsSync(pid) || !isGone(Number(readFileSync(pid, "utf8")))) return;
			isAsked = true;
			setImmediate(() => {
				writeFileSync(go, "");
				blockUntil(() => existsSync(written));
			});
		};
		const { output, exitCode } = await bash(`echo $$ > ${pid}; (${survivor}) & until [ -s ${steps} ]; do sleep 0.01; done`, { onOutput });
		writeFileSync(go, "");
		expect(exitCode).toBe(0);
		expect(output).toMatch(/noise\nlast words\n$/);
	});

	it("and leaves a background child alone that goes on writing afterwards", async () => {
		const file = join(freshDirectory(), "written");
		const script = `(sleep 0.4; for i in $(seq 20); do head -c 20000 /dev/zero || exit 1; done; touch ${file}) & echo done`;
		expect((await bash(script)).output).toBe("done\n");
		for (let waited = 0; !existsSync(file) && waited < 5000; waited += 20) await delay(20);
		expect(existsSync(file)).toBe(true);
	});

	it("with all that was written, when this thread is blocked around the command's exit", async () => {
		for (const bytes of [10, 60_000, 65_536]) {
			const run = bash(`head -c ${bytes} /dev/zero | tr '\\0' x; exit 4`);
			// The process exists by now, and ends while nobody reads.
			await delay(20);
			blockFor(300);
			expect(await run).toMatchObject({ exitCode: 4, output: "x".repeat(bytes) });
		}
		const survived = bash("sleep 5 & head -c 65000 /dev/zero | tr '\\0' x");
		await delay(20);
		blockFor(1000);
		expect((await survived).output).toBe("x".repeat(65_000));
	});

	it("with nothing lost and nothing twice, whatever the sizes in which it was written", async () => {
		const lines = Array.from({ length: 20_000 }, (_, index) => `${index}\n`).join("");
		const results = await Promise.all(Array.from({ length: 5 }, () => bash("for ((i = 0; i < 20000; i++)); do echo $i; done; sleep 2 &")));
		for (const { output } of results) expect(output).toBe(lines);
	});
});

describe("runBounded() budgets output", () => {
	it("to the byte at its edges", async () => {
		const print = (bytes: number) => bash(`head -c ${bytes} /dev/zero | tr '\\0' x`, { maxOutputBytes: 100_000 });
		expect(await print(25_000)).toMatchObject({ output: "x".repeat(25_000), truncatedBytes: 0 });
		expect(await print(100_000)).toMatchObject({ output: "x".repeat(100_000), truncatedBytes: 0 });
		expect(await print(100_001)).toMatchObject({
			output: `${"x".repeat(25_000)}\n[… 1 bytes cut …]\n${"x".repeat(75_000)}`,
			truncatedBytes: 1,
		});
	});

	it("at 1 MiB when nothing else is said: the first 256 KiB and the last 768", async () => {
		const { output, truncatedBytes } = await bash("head -c 1048576 /dev/zero | tr '\\0' a; head -c 1000000 /dev/zero | tr '\\0' b");
		expect(truncatedBytes).toBe(1_000_000);
		expect(output).toBe(`${"a".repeat(262_144)}\n[… 1,000,000 bytes cut …]\n${"b".repeat(786_432)}`);
	});
});

describe("runBounded() with survivors: leave", () => {
	it.skipIf(!canLookForSurvivors)("kills nothing when the command ends by itself", async () => {
		const marker = uniqueSleep();
		await bash(`sleep ${marker} & setsid sleep ${marker} & echo done`, { timeoutMs: 60_000 });
		expect(await untilLiving(marker, 2)).toHaveLength(2);
		endLiving(marker);
	});
});
