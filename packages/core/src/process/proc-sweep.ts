import { setTimeout as delay } from "node:timers/promises";
import { follow, look, unfollow } from "./lineage.js";
import { belongsTo, mayHaveSlipped } from "./membership.js";
import { pidsSince } from "./pid-range.js";
import { isAlive, signalProcess } from "./proc-files.js";
import { type KnownProcess, knownProcesses, type Refresh, tableAge } from "./process-table.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

// Fresh enough to count a group by and to adopt orphans from; what is proved by a look looks anew.
const FRESH_MS = 10;
const LONGEST_PAUSE_MS = 128;
const STOPPING_BOUND_MS = 40;
// Too short for the numbers of processes to go round once.
const PID_CIRCLE_MS = 1000;

/** Finds and ends the processes of one tree (Linux). */
export class ProcSweep implements Sweep {
	readonly #tree: ProcessTree;
	readonly #examined: Set<KnownProcess> = new Set();
	readonly #strangers: Map<number, KnownProcess> = new Map();
	readonly #found: Set<KnownProcess> = new Set();
	readonly #signalled: Set<KnownProcess> = new Set();
	readonly #belongs: (process: KnownProcess) => boolean;

	constructor(tree: ProcessTree) {
		this.#tree = tree;
		this.#belongs = belongsTo(tree);
	}

	/** How many processes other than the leader had to be killed. */
	get killed(): number {
		let count = 0;
		for (const { entry } of this.#signalled) if (entry.pid !== this.#tree.leader.pid) count += 1;
		return count;
	}

	begin(): void {
		follow(this.#tree.lineage);
	}

	cease(): void {
		unfollow(this.#tree.lineage);
	}

	/** Brings the table and the lineages up to date: a death orphans children, so this comes before anything is signalled. */
	async observe(): Promise<void> {
		if (tableAge() > FRESH_MS) look();
	}

	/** Kills until nothing is found and nothing that was found still lives, or until the time has come. */
	async end(until: number): Promise<void> {
		// Where many runs end at once, all their groups die before any of them looks for more, and there is less to look through.
		if (this.#killGroup()) await delay(1);
		for (let pause = 1; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
			const foundMore = this.killFound();
			if ((!foundMore && !this.#isDying) || performance.now() >= until) return;
			await delay(pause);
		}
	}

	/**
	 * Finds everything and kills it; answers whether there was anything new, or may be.
	 *
	 * It stops first and kills afterwards: what is stopped neither forks, nor replaces a child that was killed, nor ends and orphans its
	 * children. Each look reads only processes that are new since the last, which takes a fraction of the time in which a process starts
	 * another; a look at which nobody new was found and nobody slipped away is the last.
	 */
	killFound(): boolean {
		const until = performance.now() + STOPPING_BOUND_MS;
		const before = this.#found.size;
		let isQuiet = false;
		while (!isQuiet && performance.now() < until) isQuiet = !this.#stopNew();
		for (const { entry } of this.#noteLiving()) signalProcess(entry, "SIGKILL");
		return !isQuiet || this.#found.size > before;
	}

	#killGroup(): boolean {
		if (tableAge() > FRESH_MS) this.#look();
		const { pid } = this.#tree.leader;
		for (const process of knownProcesses()) if (process.entry.group === pid && this.#belongs(process)) this.#take(process);
		if (this.#found.size === 0) return false;
		this.#noteLiving();
		signalGroup(this.#tree, "SIGKILL");
		return true;
	}

	get #isDying(): boolean {
		for (const process of this.#found) if (isAlive(process.entry)) return true;
		return false;
	}

	#noteLiving(): KnownProcess[] {
		const living = [...this.#found].filter(({ entry }) => isAlive(entry));
		for (const process of living) this.#signalled.add(process);
		return living;
	}

	#stopNew(): boolean {
		const { missed } = this.#look();
		const before = this.#found.size;
		let slippedAway = missed;
		for (const process of knownProcesses()) {
			if (this.#examined.has(process)) continue;
			if (this.#belongs(process)) this.#stop(process);
			else if (mayHaveSlipped(process, this.#tree, this.#strangers)) slippedAway += 1;
			else this.#strangers.set(process.entry.pid, process);
			this.#examined.add(process);
		}
		this.#stopChildren();
		return slippedAway > 0 || this.#found.size > before;
	}

	#look(): Refresh {
		const { leader, lineage } = this.#tree;
		return look(performance.now() - lineage.begunAt < PID_CIRCLE_MS ? pidsSince(leader.pid) : undefined);
	}

	#stopChildren(): void {
		const parents = new Set([...this.#found].map(({ entry }) => entry.pid));
		for (let before = -1; before !== parents.size; ) {
			before = parents.size;
			for (const stranger of this.#strangers.values()) {
				if (!parents.has(stranger.entry.parent) || !isYounger(stranger, this.#tree)) continue;
				parents.add(stranger.entry.pid);
				this.#strangers.delete(stranger.entry.pid);
				this.#stop(stranger);
			}
		}
	}

	#stop(process: KnownProcess): void {
		this.#take(process);
		signalProcess(process.entry, "SIGSTOP");
	}

	#take(process: KnownProcess): void {
		this.#found.add(process);
		this.#examined.add(process);
	}
}

function isYounger({ entry }: KnownProcess, { leader }: ProcessTree): boolean {
	return Number(entry.start) >= Number(leader.start);
}
