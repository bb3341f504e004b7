import { hasProcFiles, readEntry } from "./proc-files.js";
import type { ProcessTree } from "./tree.js";

/** Signals the leader's whole process group, unless its number has gone to somebody else. */
export function signalGroup(tree: ProcessTree, signal: NodeJS.Signals): void {
	if (tree.leader.pid <= 1 || (hasProcFiles && !numberIsStill(tree))) return;
	try {
		process.kill(-tree.leader.pid, signal);
	} catch {
		// The group is empty.
	}
}

/** Whether the leader's number has not gone to another process. While its group has members, it cannot. */
export function numberIsStill({ leader }: ProcessTree): boolean {
	const now = readEntry(leader.pid);
	return now === undefined || now.start === leader.start;
}
