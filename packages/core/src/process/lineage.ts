import { isAlive } from "./proc-files.js";
import type { ProcessEntry, ProcessIdentity } from "./process-entry.js";
import { type Refresh, refreshTable } from "./process-table.js";

const SHORTEST_INTERVAL_MS = 20;
const LONGEST_INTERVAL_MS = 320;

/**
 * Everybody known to descend from one process. A process whose parent has died can no longer be traced back, so it has to have been
 * seen before.
 */
export class Lineage {
	readonly begunAt: number = performance.now();
	readonly #members: Map<number, string> = new Map();

	constructor(root: ProcessIdentity) {
		this.include(root);
	}

	/** Takes a process in, whoever its parent is. */
	include({ pid, start }: ProcessIdentity): void {
		this.#members.set(pid, start);
	}

	has({ pid, start }: ProcessIdentity): boolean {
		return this.#members.get(pid) === start;
	}

	/** Adopts those of the entries whose parent is a member, and theirs. */
	adopt(entries: readonly ProcessEntry[], parentLives: (parent: ProcessIdentity) => boolean = isAlive): void {
		for (let before = -1; before !== this.#members.size; ) {
			before = this.#members.size;
			for (const entry of entries) if (!this.has(entry) && this.#isParent(entry.parent, parentLives)) this.include(entry);
		}
	}

	#isParent(pid: number, lives: (parent: ProcessIdentity) => boolean): boolean {
		const start = this.#members.get(pid);
		return start !== undefined && lives({ pid, start });
	}
}

const followed = new Set<Lineage>();
let timer: NodeJS.Timeout | undefined;

/**
 * Looks at new processes now and then, often while a lineage is young and seldom later, and adopts the lineage's own (Linux).
 * One timer serves all lineages and keeps no process alive; a run that is over before the first look costs nothing.
 */
export function follow(lineage: Lineage): void {
	followed.add(lineage);
	if (timer === undefined) schedule(SHORTEST_INTERVAL_MS);
}

/** Stops following. */
export function unfollow(lineage: Lineage): void {
	followed.delete(lineage);
	if (followed.size > 0) return;
	clearTimeout(timer);
	timer = undefined;
}

/** Looks now. Answers what {@link refreshTable} does. */
export function look(isWanted?: (pid: number) => boolean): Refresh {
	const refresh = refreshTable(isWanted);
	const entries = refresh.fresh.map(({ entry }) => entry);
	if (entries.length > 0) for (const lineage of followed) lineage.adopt(entries);
	return refresh;
}

function lookAndSchedule(): void {
	look();
	let youngest = 0;
	for (const lineage of followed) youngest = Math.max(youngest, lineage.begunAt);
	schedule(Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, performance.now() - youngest)));
}

function schedule(delay: number): void {
	timer = setTimeout(lookAndSchedule, delay);
	timer.unref();
}
