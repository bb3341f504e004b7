import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Capabilities } from "@robot-lab/core";
import { type BoundedRunResult, runBounded } from "@robot-lab/core/process";
import { describe, expect, it, onTestFinished } from "vitest";
import { Bubblewrap } from "../../src/bubblewrap/bubblewrap.js";
import { gatherLimitHost } from "../../src/limits/gather-limit-host.js";
import type { LimitHost } from "../../src/limits/limit-host.js";
import { planLimits } from "../../src/limits/plan-limits.js";
import { isRoot, processesWith } from "../bubblewrap/arena.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { stage } from "./stage.js";

const works = noBubblewrap === undefined;
const host: LimitHost | undefined = works ? await gatherLimitHost("linux", "bubblewrap") : undefined;
/** Root of the computer is not held to it; root of a container that is nobody outside is. */
const isExempt = host?.counted === "nobody";

/** Starts forty processes that stay, and says how many it got. */
const FORK = `my $n = 0; for (1 .. 40) { my $p = fork; if (!defined $p) { print "refused: $!\\n"; last } if ($p == 0) { sleep 20; exit } $n++ }
print "got $n\\n"; exit($n == 40 ? 0 : 1)`;
/** Every process starts others as fast as it is let. */
const BOMB = "while (1) { fork // select undef, undef, undef, 0.01 }";

describe.skipIf(!works)(`limits.processes under bubblewrap (${noBubblewrap ?? "which works here"})`, () => {
	it("are tried for real: this computer's root is held to none, everybody else has them counted apart", () => {
		expect(host?.counted).toMatch(isRoot ? /^(nobody|script)$/ : /^script$/);
		expect(host?.setter).toBe("/usr/bin/prlimit");
	});

	it.skipIf(!isExempt)("are refused where the host is root, and the script does not run", async () => {
		const { run, out } = stage("bubblewrap");
		const refusal = {
			code: "grant_not_expressible",
			message: expect.stringMatching(/limits\.processes.*lets root start any number.*another user/),
		};
		expect(await run('touch "$OUT/ran"', { processes: 5 })).toMatchObject({ refusal, exitCode: null });
		expect(await run('touch "$OUT/ran"', {}, { ceiling: { processes: 5 } })).toMatchObject({ refusal, exitCode: null });
		expect(existsSync(join(out, "ran"))).toBe(false);
		expect(await run('touch "$OUT/ran"')).toMatchObject({ exitCode: 0 });
		expect(existsSync(join(out, "ran"))).toBe(true);
	});

	it.skipIf(isExempt)("hold the script to as many, itself included, with a note", async () => {
		const { run } = stage("bubblewrap");
		const script = `exec perl -e '${FORK}'`;
		expect(await run(script)).toMatchObject({ output: "got 40\n" });
		expect(await run(script, { processes: 5 })).toMatchObject({
			output: expect.stringContaining("got 4\n"),
			note: "The script may have reached limits.processes (5).",
		});
		expect(await run("exec true", { processes: 1 })).toMatchObject({ exitCode: 0 });
	});
});

/** What makes a command an ordinary user's: nothing where the tests are. */
const UNPRIVILEGED = isRoot ? ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : [];
const canBeOrdinary = works && (!isRoot || existsSync("/usr/bin/setpriv"));

describe.skipIf(!canBeOrdinary)(
	`limits.processes of a host that is not root (tried as ${isRoot ? "nobody" : "who runs the tests"})`,
	() => {
		/** Runs perl under bubblewrap as a host would that is an ordinary user, with limits as it would plan them. */
		async function asOrdinary(program: string, limits: object, signal?: AbortSignal): Promise<BoundedRunResult> {
			const strategy = new Bubblewrap(new Capabilities(), { skillDir: "/usr", cwd: "/", environment: { PATH: "/usr/bin:/bin" } });
			const launcher = planLimits(limits, { ...(host as LimitHost), isRoot: false, counted: "script", own: new Map() });
			try {
				const argv = await strategy.wrap([...launcher, "perl", "-e", program]);
				const { fds = [] } = strategy.spawn;
				return await runBounded([...UNPRIVILEGED, ...argv], {
					fds,
					cwd: "/",
					timeoutMs: 60_000,
					survivors: "kill",
					...(signal && { signal }),
				});
			} finally {
				await strategy.cleanup();
			}
		}

		it("hold a script to as many, itself included", async () => {
			expect((await asOrdinary(FORK, {})).output).toBe("got 40\n");
			expect((await asOrdinary(FORK, { processes: 5 })).output).toBe("refused: Resource temporarily unavailable\ngot 4\n");
			expect((await asOrdinary(FORK, { processes: 1 })).output).toBe("refused: Resource temporarily unavailable\ngot 0\n");
		});

		it("count nobody else's: neither the user's own processes nor another script's", async () => {
			const others = spawn("/bin/sh", ["-c", `for i in $(seq 30); do ${UNPRIVILEGED.join(" ")} sleep 60 & done; echo up; wait`], {
				detached: true,
			});
			onTestFinished(() => void process.kill(-(others.pid ?? 0), "SIGKILL"));
			await new Promise((resolve) => others.stdout.once("data", resolve));
			const both = await Promise.all([asOrdinary(FORK, { processes: 5 }), asOrdinary(FORK, { processes: 8 })]);
			expect(both.map(({ output }) => /got \d+/.exec(output)?.[0])).toEqual(["got 4", "got 7"]);
		});

		it("cannot be raised by the script", async () => {
			// setrlimit(RLIMIT_NPROC) and, of its first process, prlimit64; by their numbers on x86-64 and on arm64.
			const raise = `my ($set, $of) = \`uname -m\` =~ /x86/ ? (160, 302) : (164, 261); my $l = pack "QQ", 500, 500;
print "set=", syscall($set, 6, $l), " $!\\n"; print "first=", syscall($of, 1, 6, $l, 0), " $!\\n"; `;
			const { output } = await asOrdinary(raise + FORK, { processes: 5 });
			expect(output).toMatch(/^set=-1 Operation not permitted$/m);
			expect(output).toContain("got 4\n");
		});

		it("hold a fork bomb down, where more are let grow more", { timeout: 180_000 }, async () => {
			// In two pieces: as one it would be in the command lines of bwrap and of the shell inside.
			const size = (): number => processesWith("bomb-of-a-test").length;
			const explode = async (processes: number, watch: () => Promise<void>): Promise<void> => {
				const abort = new AbortController();
				const run = asOrdinary(`$0 = "bomb-" . "of-a-test"; ${BOMB}`, { processes }, abort.signal);
				try {
					await watch();
				} finally {
					abort.abort();
				}
				expect(await run).toMatchObject({ aborted: true, timedOut: false });
				await expect.poll(size, { timeout: 30_000 }).toBe(0);
			};
			await explode(12, async () => {
				await expect.poll(size, { timeout: 50_000 }).toBe(12);
				for (let look = 0; look < 20; look++) {
					await new Promise((resolve) => setTimeout(resolve, 25));
					expect(size()).toBeLessThanOrEqual(12);
				}
			});
			await explode(40, () => expect.poll(size, { timeout: 50_000 }).toBeGreaterThan(12));
		});
	},
);
