import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { arena, endAll, processesWith } from "../arena.js";

/** Grows to two hundred processes, each in a session of its own and deaf to TERM, and keeps replacing those that end. */
const STORM = `
marker=$1
trap '' TERM HUP INT
echo raging
for i in $(seq 80); do setsid bash -c 'trap "" TERM HUP INT; bash -c "trap \\"\\" TERM; sleep 60" '$marker' & sleep 60; wait' $marker & done
while :; do setsid bash -c 'sleep 0.05; true' $marker & sleep 0.02; done`;

/** The session of a process by its id; that of its leader is its own. */
function sessionOf(pid: number): number | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
	} catch {
		return undefined;
	}
}

describe.skipIf(noBubblewrap !== undefined)(`a fork storm (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is over when its time is, with nobody left, where ending its process group outside leaves most of it", {
		timeout: 180_000,
	}, async () => {
		const host = arena();
		const marker = (kind: string): string => `storm-${kind}-${process.pid}`;
		const file = put(join(host.directory, "storm.sh"), STORM, 0o755);
		const control = spawn("bash", [file, marker("outside")], { detached: true, stdio: "ignore" });
		onTestFinished(() => endAll(processesWith(marker("outside"))));
		const fled = (): number => processesWith(marker("outside")).filter((pid) => sessionOf(pid) === pid).length;
		await expect.poll(fled, { timeout: 60_000 }).toBeGreaterThan(60);
		process.kill(-(control.pid ?? 0), "SIGKILL");
		await new Promise((resolve) => control.once("exit", resolve));
		expect(fled()).toBeGreaterThan(50);
		endAll(processesWith(marker("outside")));

		let most = 0;
		const watch = setInterval(() => (most = Math.max(most, processesWith(marker("inside")).length)), 100);
		onTestFinished(() => clearInterval(watch));
		// The longer of them where a busy computer does not get as far as a storm in the shorter.
		for (const timeout of [5, 60]) {
			const result = await host.confined(`set -- ${marker("inside")}\n${STORM}`, { grant: { timeout } });
			expect(result).toMatchObject({ timedOut: true, confinement: "bubblewrap", output: expect.stringMatching(/^raging\n/) });
			expect(processesWith(marker("inside"))).toEqual([]);
			if (most > 50) break;
		}
		expect(most).toBeGreaterThan(50);
	});
});
