import { setTimeout as delay } from "node:timers/promises";
import { findProcesses } from "./find-processes.js";
import { hasProcFiles, readEntry, signalProcess } from "./proc-files.js";
import type { ProcessEntry } from "./process-entry.js";
import type { ProcessTree } from "./tree.js";

const LOOKS_PER_ROUND = 8;

/** Signals the leader's whole process group, unless its number has gone to somebody else. */
export function signalGroup({ leader }: ProcessTree, signal: NodeJS.Signals): void {
	const now = hasProcFiles ? readEntry(leader.pid) : undefined;
	if (leader.pid <= 1 || (now !== undefined && now.start !== leader.start)) return;
	try {
		process.kill(-leader.pid, signal);
	} catch {
		// The group is empty.
	}
}

/** Processes other than a leader that were killed, each once. */
export type KilledProcesses = Set<string>;

/**
 * Kills everything that can be found of the tree until nothing is left or the time has come.
 *
 * @param killed Collects what was killed.
 * @param until When to give up, on the clock of `performance.now()`.
 * @param pids Where to look first, when it is known where alone something can be.
 */
export async function endTree(tree: ProcessTree, killed: KilledProcesses, until: number, pids?: readonly number[]): Promise<void> {
	let found = killOnce(tree, killed, pids);
	for (let pause = 1; found > 0 && performance.now() < until; pause = Math.min(16, pause * 2)) {
		await delay(pause);
		found = killOnce(tree, killed);
	}
}

/** One round of {@link endTree}, without waiting. Answers how many processes were found. */
export function killOnce(tree: ProcessTree, killed: KilledProcesses = new Set(), pids?: readonly number[]): number {
	const found = stopAll(tree, pids);
	if (found.length > 0) signalGroup(tree, "SIGKILL");
	for (const entry of found) {
		signalProcess(entry, "SIGKILL");
		if (entry.pid !== tree.leader.pid) killed.add(keyOf(entry));
	}
	return found.length;
}

/** Stops before it kills: what is stopped neither forks, nor replaces a child that was killed, nor ends and orphans its children. */
function stopAll(tree: ProcessTree, pids?: readonly number[]): ProcessEntry[] {
	const stopped = new Map<string, ProcessEntry>();
	for (let look = 0; look < LOOKS_PER_ROUND; look += 1) {
		const before = stopped.size;
		findProcesses(
			tree,
			(entry) => {
				if (stopped.has(keyOf(entry))) return;
				stopped.set(keyOf(entry), entry);
				signalProcess(entry, "SIGSTOP");
			},
			look === 0 ? pids : undefined,
		);
		if (stopped.size === before) break;
	}
	return [...stopped.values()];
}

const keyOf = ({ pid, start }: ProcessEntry): string => `${pid}:${start}`;
