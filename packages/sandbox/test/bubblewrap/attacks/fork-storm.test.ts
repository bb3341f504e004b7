import { spawn } from "node:child_process";
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

describe.skipIf(noBubblewrap !== undefined)(`a fork storm (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is over when its time is, with nobody left, where ending its process group outside leaves most of it", {
		timeout: 60_000,
	}, async () => {
		const host = arena();
		const marker = (kind: string): string => `storm-${kind}-${process.pid}`;
		const file = put(join(host.directory, "storm.sh"), STORM, 0o755);
		const control = spawn("bash", [file, marker("outside")], { detached: true, stdio: "ignore" });
		onTestFinished(() => endAll(processesWith(marker("outside"))));
		await expect.poll(() => processesWith(marker("outside")).length, { timeout: 30_000 }).toBeGreaterThan(70);
		process.kill(-(control.pid ?? 0), "SIGKILL");
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(processesWith(marker("outside")).length).toBeGreaterThan(50);
		endAll(processesWith(marker("outside")));

		let most = 0;
		const watch = setInterval(() => (most = Math.max(most, processesWith(marker("inside")).length)), 100);
		onTestFinished(() => clearInterval(watch));
		// Time enough for a storm on a busy computer too.
		const result = await host.confined(`set -- ${marker("inside")}\n${STORM}`, { grant: { timeout: 8 } });
		expect(result).toMatchObject({ timedOut: true, confinement: "bubblewrap", output: expect.stringMatching(/^raging\n/) });
		expect(most).toBeGreaterThan(50);
		expect(processesWith(marker("inside"))).toEqual([]);
	});
});
