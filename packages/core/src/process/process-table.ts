import { descriptorTargets, environmentOf, hardLimits, listPids, readEntry } from "./proc-files.js";
import type { ProcessEntry } from "./process-entry.js";

const STALE_MS = 1000;

/**
 * A process as it was when it was first seen. What a process has from birth (its parent, its group, its limits, its environment, its
 * descriptors) says whose it is; what it makes of them later says less, so nothing is read twice.
 */
export class KnownProcess {
	readonly entry: ProcessEntry;
	#hardLimits: ReadonlyMap<string, string> | undefined;
	readonly #variables: Map<string, string | undefined> = new Map();
	#targets: readonly string[] | undefined;

	constructor(entry: ProcessEntry) {
		this.entry = entry;
	}

	/** The hard limit of that name, as `/proc/<pid>/limits` spells both. */
	hardLimit(name: string): string | undefined {
		this.#hardLimits ??= hardLimits(this.entry.pid);
		return this.#hardLimits.get(name);
	}

	/** Whether it could not be read any more when it was asked for the first time: every process has this limit. */
	get wasGone(): boolean {
		return this.hardLimit("Max processes") === undefined;
	}

	/** The value of that variable. */
	variable(name: string): string | undefined {
		if (!this.#variables.has(name)) this.#variables.set(name, this.#readVariable(name));
		return this.#variables.get(name);
	}

	/** Whether one of its descriptors leads to one of those files. */
	holdsOneOf(files: readonly string[]): boolean {
		this.#targets ??= descriptorTargets(this.entry.pid);
		return this.#targets.some((target) => files.includes(target));
	}

	#readVariable(name: string): string | undefined {
		const start = `${name}=`;
		return environmentOf(this.entry.pid)
			.find((variable) => variable.startsWith(start))
			?.slice(start.length);
	}
}

/** What a refresh of the table brought. */
export interface Refresh {
	readonly fresh: readonly KnownProcess[];
	/** Processes that ended before they could be looked at. One of them may have started another meanwhile. */
	readonly missed: number;
	/** Whether the system's table could be read at all; with too many open files it cannot. */
	readonly isListed: boolean;
}

const known = new Map<number, KnownProcess>();
let refreshedAt = Number.NEGATIVE_INFINITY;

/** How long ago the table was refreshed, in milliseconds. */
export function tableAge(): number {
	return performance.now() - refreshedAt;
}

/** All processes known at the last refresh. One table serves all runs, so that many runs that end at once cost one reading. */
export function knownProcesses(): Iterable<KnownProcess> {
	return known.values();
}

/**
 * Reads the processes that are new since the last refresh, and forgets those that are gone. What was not refreshed for a second is
 * forgotten altogether: a number may have gone to another process by then.
 *
 * @param isWanted Leaves out numbers that need not be read now.
 */
export function refreshTable(isWanted: (pid: number) => boolean = () => true): Refresh {
	const now = performance.now();
	if (now - refreshedAt > STALE_MS) known.clear();
	refreshedAt = now;
	const pids = listPids();
	if (pids === undefined) return { fresh: [], missed: 0, isListed: false };
	forgetAllBut(pids);
	const fresh: KnownProcess[] = [];
	let missed = 0;
	for (const pid of pids) {
		if (known.has(pid) || !isWanted(pid)) continue;
		const entry = readEntry(pid);
		if (entry === undefined) {
			missed += 1;
			continue;
		}
		const process = new KnownProcess(entry);
		known.set(pid, process);
		fresh.push(process);
	}
	return { fresh, missed, isListed: true };
}

function forgetAllBut(pids: readonly number[]): void {
	if (known.size === 0) return;
	const present = new Set(pids);
	for (const pid of known.keys()) if (!present.has(pid)) known.delete(pid);
}
