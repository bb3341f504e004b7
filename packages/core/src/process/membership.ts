import { hasMark, mayHaveMark } from "./mark.js";
import { readEntry } from "./proc-files.js";
import type { ProcessEntry, ProcessIdentity } from "./process-entry.js";
import type { KnownProcess } from "./process-table.js";
import { numberIsStill } from "./signal-group.js";
import { type ProcessTree, RUN_ID_VARIABLE } from "./tree.js";

/** Tells whose a process is. */
export class Membership {
	readonly #tree: ProcessTree;

	constructor(tree: ProcessTree) {
		this.#tree = tree;
	}

	/**
	 * Whether a process is one of the tree's: it stands in the leader's group or session, was seen descending from it, carries its mark or
	 * its run id, or holds its output pipe. Processes older than the leader never are, nor what those have started.
	 */
	has(known: KnownProcess): boolean {
		const { entry } = known;
		const { leader, lineage, mark, pipes, runId } = this.#tree;
		if (!entry.alive || !this.mayHold(entry)) return false;
		if ((entry.group === leader.pid || entry.session === leader.pid) && numberIsStill(this.#tree)) return true;
		if (lineage.has(entry)) return true;
		// What is read below may have to wait for a program that is being loaded, and on a busy host that takes its time.
		if (this.#isChildOfStranger(entry)) return false;
		return (
			(mark !== undefined && hasMark(known, mark)) ||
			(known.variable(RUN_ID_VARIABLE)?.includes(runId) ?? false) ||
			(!mayBeStarting(entry) && known.holdsOneOf(pipes))
		);
	}

	/**
	 * Whether a process ended before it could be told whose it was, and may have started another meanwhile.
	 *
	 * @param strangers Processes known not to be the tree's. What a stranger starts is not either; but orphans are given to an ancestor
	 * of this process, which is a stranger too.
	 */
	mayHaveMissed(known: KnownProcess, strangers: ReadonlyMap<number, KnownProcess>): boolean {
		const { entry } = known;
		if (!this.mayHold(entry) || (entry.alive && !known.wasGone) || this.#isChildOfStranger(entry)) return false;
		return mayHaveMark(known, this.#tree.mark) && (!strangers.has(entry.parent) || adoptsOrphans(entry.parent));
	}

	/** Whether the process is young enough. */
	mayHold({ start }: ProcessIdentity): boolean {
		return Number(start) >= Number(this.#tree.leader.start);
	}

	/** Whether its parent was there before the tree, and is nobody who is given the tree's orphans. */
	#isChildOfStranger({ parent }: ProcessEntry): boolean {
		const now = readEntry(parent);
		return now !== undefined && !this.mayHold(now) && !adoptsOrphans(parent);
	}
}

/**
 * Another thread of this process may be starting a program: until it has become that program, it holds whatever this process holds,
 * the pipes of all runs included. As number 1 this process is given orphans too, and nobody can tell them from those.
 */
function mayBeStarting({ parent }: ProcessEntry): boolean {
	return parent === process.pid && process.pid !== 1;
}

let ancestors: Set<number> | undefined;

/**
 * Whether orphans of this process's descendants may become children of that one: it is this process or one of its ancestors. When one of
 * those ends, this process becomes a child of another of them, so they are asked for once.
 */
function adoptsOrphans(pid: number): boolean {
	ancestors ??= findAncestors();
	return ancestors.has(pid);
}

function findAncestors(): Set<number> {
	const found = new Set([0, 1]);
	for (let pid: number | undefined = process.pid; pid !== undefined && !found.has(pid); pid = readEntry(pid)?.parent) found.add(pid);
	return found;
}
