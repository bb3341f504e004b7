import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Whether survivors can be looked for. Elsewhere such tests are skipped. */
export const onLinux: boolean = process.platform === "linux";

/** A number of seconds nobody else sleeps. A process that sleeps it is ours, whatever it did to its environment. */
export function uniqueSleep(): string {
	return `${randomInt(3000, 9000)}.${String(randomInt(1_000_000, 9_999_999))}`;
}

/** The pids of processes, not merely waited for, whose command line holds that text. */
export function living(text: string): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid) && readOr(`/proc/${pid}/cmdline`).includes(text));
}

/** Waits until processes with that text are as many as wanted, five seconds at most. */
export async function untilLiving(text: string, count: number): Promise<number[]> {
	const until = performance.now() + 5000;
	while (living(text).length !== count && performance.now() < until) await delay(5);
	return living(text);
}

/** Ends what a test left behind on purpose. */
export function endLiving(text: string): void {
	for (const pid of living(text)) process.kill(pid, "SIGKILL");
}

function isAlive(pid: number): boolean {
	const stat = readOr(`/proc/${pid}/stat`);
	return stat !== "" && !["Z", "X"].includes(stat.charAt(stat.lastIndexOf(")") + 2));
}

function readOr(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
}
