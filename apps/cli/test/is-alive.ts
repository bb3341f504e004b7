import { readFileSync } from "node:fs";

/** Whether a process still runs. One that is over and only waits for its parent to notice does not. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	return process.platform !== "linux" || !isZombie(pid);
}

function isZombie(pid: number): boolean {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
	} catch {
		return true;
	}
}
