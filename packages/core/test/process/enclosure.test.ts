import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Enclosure, runBounded } from "../../src/process/index.js";

/** One that notes what it is asked. `pid` is the leader's. */
function noting(asked: string[], terminate: () => void = () => {}): Enclosure {
	return {
		terminate() {
			asked.push("terminate");
			terminate();
		},
		async emptied() {
			asked.push("emptied");
			await delay(20);
			asked.push("empty");
		},
	};
}

describe("runBounded() with an enclosure", () => {
	it("waits, once the command has ended by itself, until nobody is left inside, and asks nobody to end", async () => {
		const asked: string[] = [];
		const result = await runBounded(["bash", "-c", "echo done"], { enclosure: noting(asked) });
		expect(result).toMatchObject({ output: "done\n", exitCode: 0, survivorsKilled: 0 });
		expect(asked).toEqual(["emptied", "empty"]);
	});

	it("asks the enclosure, not the leader, to end at a deadline, and kills the leader when that is not enough", async () => {
		const asked: string[] = [];
		const result = await runBounded(["bash", "-c", 'trap "echo TERM" TERM; echo here; while :; do sleep 0.05; done'], {
			enclosure: noting(asked),
			timeoutMs: 500,
		});
		expect(result).toMatchObject({ timedOut: true, signal: "SIGKILL", output: "here\n" });
		expect(asked).toEqual(["terminate", "emptied", "empty"]);
	});

	it("gives what was asked to end the time to do so", async () => {
		let pid = 0;
		const asked: string[] = [];
		const result = await runBounded(["bash", "-c", 'trap "echo bye; exit 3" TERM; echo here; while :; do sleep 0.02; done'], {
			enclosure: noting(asked, () => process.kill(pid, "SIGTERM")),
			onSpawn: (leader) => {
				pid = leader;
			},
			timeoutMs: 500,
		});
		expect(result).toMatchObject({ timedOut: true, exitCode: 3, output: "here\nbye\n" });
	});

	it("marks nothing: the command has the limits of its host", async () => {
		const limit = ["bash", "-c", "grep 'Max resident set' /proc/self/limits || echo none"];
		const { output: own } = await runBounded(limit, {});
		const { output } = await runBounded(limit, { enclosure: noting([]), timeoutMs: 10_000, survivors: "kill" });
		expect(output).toBe(own);
	});

	it("leaves gaps among the descriptors alone", async () => {
		const { output } = await runBounded(["bash", "-c", "[ -e /dev/fd/3 ] && echo three; [ -e /dev/fd/5 ] && echo five"], {
			fds: [0, undefined, 0],
		});
		expect(output).toBe("three\nfive\n");
	});
});
