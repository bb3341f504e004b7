import { hasMark } from "./mark.js";
import { descriptorTargets, environmentHas, lastPid, listPids, readEntry } from "./proc-files.js";
import type { ProcessEntry } from "./process-entry.js";
import { type ProcessTree, RUN_ID_VARIABLE } from "./tree.js";

/**
 * Every living process of the tree that `/proc` shows, the leader included. `onFound` is called the moment one is recognised.
 *
 * A process belongs to it when it stands in the leader's group or session, was seen descending from it, carries its mark or its run id,
 * holds its output pipe, or is a child of one that does. Processes older than the leader are never taken.
 */
export function findProcesses(
	tree: ProcessTree,
	onFound: (entry: ProcessEntry) => void = () => {},
	pids: readonly number[] = listPids(),
): ProcessEntry[] {
	const groupIsOurs = readEntry(tree.leader.pid)?.start === tree.leader.start || readEntry(tree.leader.pid) === undefined;
	const found = new Map<number, ProcessEntry>();
	const others: ProcessEntry[] = [];
	const take = (entry: ProcessEntry): void => {
		found.set(entry.pid, entry);
		onFound(entry);
	};
	for (const pid of pids) {
		const entry = candidate(pid, tree);
		if (entry === undefined) continue;
		if (belongs(entry, tree, groupIsOurs)) take(entry);
		else others.push(entry);
	}
	for (let before = -1; before !== found.size; ) {
		before = found.size;
		for (const entry of others) if (!found.has(entry.pid) && found.has(entry.parent)) take(entry);
	}
	return [...found.values()];
}

/**
 * Numbers that can belong to processes started after the leader. Numbers are given upwards in a circle, so within a short time those
 * are the ones between the leader's and the last given, and reading a few entries answers what would else need them all.
 */
export function pidsSince(tree: ProcessTree): number[] {
	const last = lastPid();
	const first = tree.leader.pid;
	return listPids().filter((pid) => (last >= first ? pid >= first : pid >= first || pid <= last));
}

function candidate(pid: number, tree: ProcessTree): ProcessEntry | undefined {
	if (pid <= 1 || pid === process.pid) return undefined;
	const entry = readEntry(pid);
	return entry?.alive && Number(entry.start) >= Number(tree.leader.start) ? entry : undefined;
}

function belongs(entry: ProcessEntry, tree: ProcessTree, groupIsOurs: boolean): boolean {
	const { leader, lineage, mark, pipes, runId } = tree;
	return (
		(groupIsOurs && (entry.group === leader.pid || entry.session === leader.pid)) ||
		lineage.has(entry) ||
		(mark !== undefined && hasMark(entry.pid, mark)) ||
		environmentHas(entry.pid, RUN_ID_VARIABLE, runId) ||
		descriptorTargets(entry.pid).some((target) => pipes.includes(target))
	);
}
