import { hasMark } from "./mark.js";
import type { KnownProcess } from "./process-table.js";
import { numberIsStill } from "./signal-group.js";
import { type ProcessTree, RUN_ID_VARIABLE } from "./tree.js";

/**
 * Whether a process is one of the tree's: it stands in the leader's group or session, was seen descending from it, carries its mark or its
 * run id, or holds its output pipe. Processes older than the leader never are.
 */
export function belongsTo(tree: ProcessTree): (process: KnownProcess) => boolean {
	const { leader, lineage, mark, pipes, runId } = tree;
	const groupIsOurs = numberIsStill(tree);
	return (known) => {
		const { entry } = known;
		if (!entry.alive || Number(entry.start) < Number(leader.start)) return false;
		return (
			(groupIsOurs && (entry.group === leader.pid || entry.session === leader.pid)) ||
			lineage.has(entry) ||
			(mark !== undefined && hasMark(known, mark)) ||
			known.environmentHas(RUN_ID_VARIABLE, runId) ||
			known.holdsOneOf(pipes)
		);
	};
}
