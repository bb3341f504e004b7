import { hasMark, mayHaveMark } from "./mark.js";
import { readEntry } from "./proc-files.js";
import type { KnownProcess } from "./process-table.js";
import { numberIsStill } from "./signal-group.js";
import { type ProcessTree, RUN_ID_VARIABLE } from "./tree.js";

/**
 * Whether a process is one of the tree's: it stands in the leader's group or session, was seen descending from it, carries its mark or its
 * run id, or holds its output pipe. Processes older than the leader never are.
 */
export function belongsTo(tree: ProcessTree): (process: KnownProcess) => boolean {
	const { leader, lineage, mark, pipes, runId } = tree;
	return (known) => {
		const { entry } = known;
		if (!entry.alive || Number(entry.start) < Number(leader.start)) return false;
		return (
			((entry.group === leader.pid || entry.session === leader.pid) && numberIsStill(tree)) ||
			lineage.has(entry) ||
			(mark !== undefined && hasMark(known, mark)) ||
			(known.variable(RUN_ID_VARIABLE)?.includes(runId) ?? false) ||
			known.holdsOneOf(pipes)
		);
	};
}

/**
 * Whether a process ended before it could be told whose it was, and may have started another meanwhile.
 *
 * @param strangers Processes known not to be the tree's. What a stranger starts is not either; but orphans are given to an ancestor
 * of this process, which is a stranger too.
 */
export function mayHaveSlipped(known: KnownProcess, tree: ProcessTree, strangers: ReadonlyMap<number, KnownProcess>): boolean {
	const { entry } = known;
	if (Number(entry.start) < Number(tree.leader.start) || (entry.alive && !known.wasGone)) return false;
	return mayHaveMark(known, tree.mark) && (!strangers.has(entry.parent) || adoptsOrphans(entry.parent));
}

function adoptsOrphans(pid: number): boolean {
	let ancestor: number | undefined = process.pid;
	while (ancestor !== undefined && ancestor > 1 && ancestor !== pid) ancestor = readEntry(ancestor)?.parent;
	return pid <= 1 || ancestor === pid;
}
