import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
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

	// A moment is 50 ms, in which a busy computer may not even start the process: it is shown where it succeeds once.
	it("with the output of a process that outlives the command for a moment", { retry: 5 }, async () => {
		const { output } = await bash('exec > >(sed "s/^/[/; s/$/]/"); echo a; echo b');
		expect(output).toBe("[a]\n[b]\n");
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
