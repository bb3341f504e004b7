import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { STRATEGIES, stage } from "./stage.js";

/** Two hundred MiB, of which a program has the address space only if it may. */
const ALLOCATE = `perl -e '$x = "x" x ${200 * 1024 * 1024}; print length $x, "\\n"'`;
const ALLOCATED = `${200 * 1024 * 1024}\n`;
const MAY_BE = "The script may have reached limits.memoryMb";

/** Root without this capability is held to limits as everybody is; with it, it is not where nothing confines. */
const CAP_SYS_RESOURCE = 24n;
const mayRaise = process.platform === "linux" && (effectiveCapabilities() >> CAP_SYS_RESOURCE) % 2n === 1n;

function effectiveCapabilities(): bigint {
	return BigInt(`0x${/^CapEff:\t(\w+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "0"}`);
}

const HELD = STRATEGIES.filter(({ strategy, skipped }) => strategy !== "seatbelt" && !skipped);

describe.skipIf(process.platform !== "linux").each(HELD)(
	"a script that is held to limits of memory $title (Linux only)",
	({ strategy }) => {
		it("has no more address space than it may, nor has what it starts", async () => {
			const { run } = stage(strategy);
			expect(await run(ALLOCATE)).toMatchObject({ exitCode: 0, output: ALLOCATED });
			expect(await run(ALLOCATE, { memoryMb: 1000 })).toMatchObject({ exitCode: 0, output: ALLOCATED });
			for (const script of [ALLOCATE, `setsid sh -c '${ALLOCATE.replaceAll("'", `'\\''`)}'`]) {
				const result = await run(script, { memoryMb: 100 });
				expect(result.output).toMatch(/out of memory/i);
				expect(result).toMatchObject({ note: `${MAY_BE} (100).` });
				expect(result.exitCode).not.toBe(0);
			}
		});

		it.each([1, 2])("gets a note where not even its interpreter starts with %i MiB", async (memoryMb) => {
			const result = await stage(strategy).run("echo ran", { memoryMb });
			expect(result.note).toBe(`${MAY_BE} (${memoryMb}).`);
			expect(result.output).not.toContain("ran");
			expect(result.refusal).toBeUndefined();
		});

		it.skipIf(strategy === "none" && mayRaise)(
			"cannot raise its limits (but where nothing confines and the host is an almighty root)",
			async () => {
				const limits = { memoryMb: 100, fileSizeMb: 1, cpuSeconds: 10 };
				const raise = [
					"ulimit -v unlimited; ulimit -f unlimited; ulimit -t unlimited",
					"ulimit -S -v 200000 -f 4096 -t 100",
					"prlimit --pid $$ --as=unlimited --fsize=unlimited --cpu=unlimited; prlimit --pid 1 --as=unlimited",
					// setrlimit(RLIMIT_AS), by its number on x86-64 and on arm64.
					`perl -e '$l = pack("QQ", ~0, ~0); for (160, 164) { print "raised\\n" if ($_ == 160) == (\`uname -m\` =~ /x86/) && syscall($_, 9, $l) == 0 }'`,
				];
				for (const attempt of raise) {
					const result = await stage(strategy).run(`${attempt}\nulimit -v; ulimit -H -f; ulimit -H -t; ${ALLOCATE}`, limits);
					expect(result.output).toContain("102400\n1024\n11\n");
					expect(result.output).toMatch(/out of memory/i);
					expect(result.output).not.toMatch(/raised|209715200/);
					if (!attempt.startsWith("perl")) expect(result.output).toMatch(/cannot modify limit|Operation not permitted|failed to set/);
				}
			},
		);

		it("leaves the limits of its host as they were, and starts no program that it would not start otherwise", async () => {
			const own = readFileSync("/proc/self/limits", "latin1");
			const { run } = stage(strategy);
			const told: unknown[] = [];
			const show =
				"tr '\\0' ' ' < /proc/$$/cmdline; ls /proc/$$/fd; perl -e 'print map { \"$_=$ENV{$_}\\n\" } grep !/RUN_ID/, sort keys %ENV'";
			const onLifecycle = (_: string, detail?: object): void => void told.push((detail as { command?: unknown } | undefined)?.command);
			const env = { TMPDIR: "/tmp", "a.b": "1", "BASH_FUNC_f%%": "() { echo f\n}", PWD: "/stale" };
			const free = await run(show, {}, { onLifecycle, env });
			const command = told.splice(0);
			const held = await run(show, { memoryMb: 1000, fileSizeMb: 5, cpuSeconds: 9 }, { onLifecycle, env });
			expect(held.output.replaceAll(/\/robot-lab-run-\w+/g, "")).toBe(free.output.replaceAll(/\/robot-lab-run-\w+/g, ""));
			expect(told).toEqual(command);
			expect(readFileSync("/proc/self/limits", "latin1")).toBe(own);
		});
	},
);
