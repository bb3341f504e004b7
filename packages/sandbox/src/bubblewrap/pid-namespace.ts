import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Enclosure } from "@robot-lab/core/process";

const PAUSE_MS = 1;
const LONGEST_WAIT_MS = 2000;

/**
 * The processes behind one bwrap. The first of them, which has number 1 inside, is told to die when bwrap does, and the kernel kills all
 * others of a PID namespace with its first.
 *
 * @param status What bwrap has said about itself: it names that first process.
 */
export function pidNamespace(status: () => string): Enclosure {
	return {
		terminate() {
			const pid = firstProcess(status());
			if (pid === undefined || !isFirstInside(pid)) return;
			try {
				// It began a session with the script in it. It ignores the signal itself, as the first process of a namespace does.
				process.kill(-pid, "SIGTERM");
			} catch {
				// It has just ended.
			}
		},
		async emptied() {
			const pid = firstProcess(status());
			const until = performance.now() + LONGEST_WAIT_MS;
			while (pid !== undefined && isFirstInside(pid) && performance.now() < until) await delay(PAUSE_MS);
		},
	};
}

/** The number of that first process as bwrap's host sees it. `undefined` before it exists. */
export function firstProcess(status: string): number | undefined {
	const pid = Number(/"child-pid": (\d+)/.exec(status)?.[1]);
	return pid > 1 ? pid : undefined;
}

/** Whether a process of that number lives that is the first of a namespace. The kernel kills the others before it is dead itself. */
function isFirstInside(pid: number): boolean {
	try {
		const text = readFileSync(`/proc/${pid}/status`, "latin1");
		return /^NSpid:.*\t1$/m.test(text) && !/^State:\t[ZX]/m.test(text);
	} catch {
		return false;
	}
}
