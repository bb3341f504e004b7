import { setTimeout as delay } from "node:timers/promises";
import { look } from "./lineage.js";
import { belongsTo } from "./membership.js";
import { pidsSince } from "./pid-range.js";
import { isAlive, signalProcess } from "./proc-files.js";
import { type KnownProcess, knownProcesses } from "./process-table.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

const LONGEST_PAUSE_MS = 128;
const STOPPING_BOUND_MS = 40;
// Too short for the numbers of processes to go round once.
const PID_CIRCLE_MS = 1000;

/** Finds and ends the processes of one tree (Linux). */
export class ProcSweep implements Sweep {
	readonly #tree: ProcessTree;
	readonly #examined: Set<KnownProcess> = new Set();
	readonly #strangers: Set<KnownProcess> = new Set();
	readonly #found: Set<KnownProcess> = new Set();
	readonly #signalled: Set<KnownProcess> = new Set();
	readonly #isShort: boolean;

	constructor(tree: ProcessTree) {
		this.#tree = tree;
		this.#isShort = performance.now() - tree.lineage.begunAt < PID_CIRCLE_MS;
	}

	/** How many processes other than the leader had to be killed. */
	get killed(): number {
		let count = 0;
		for (const { entry } of this.#signalled) if (entry.pid !== this.#tree.leader.pid) count += 1;
		return count;
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
		const living = [...this.#found].filter(({ entry }) => isAlive(entry));
		for (const process of living) this.#signalled.add(process);
		if (living.length > 0) signalGroup(this.#tree, "SIGKILL");
		for (const { entry } of living) signalProcess(entry, "SIGKILL");
		return !isQuiet || this.#found.size > before;
	}

	/** Kills until nothing is found and nothing that was found still lives, or until the time has come. */
	async end(until: number): Promise<void> {
		for (let pause = 1; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
			const foundMore = this.killFound();
			if ((!foundMore && !this.#isDying) || performance.now() >= until) return;
			await delay(pause);
		}
	}

	get #isDying(): boolean {
		for (const process of this.#found) if (isAlive(process.entry)) return true;
		return false;
	}

	#stopNew(): boolean {
		const { missed } = look(this.#isShort ? pidsSince(this.#tree.leader.pid) : undefined);
		const belongs = belongsTo(this.#tree);
		const before = this.#found.size;
		let slippedAway = missed;
		for (const process of knownProcesses()) {
			if (this.#examined.has(process)) continue;
			this.#examined.add(process);
			if (belongs(process)) this.#stop(process);
			else if (isYounger(process, this.#tree) && !isAlive(process.entry)) slippedAway += 1;
			else this.#strangers.add(process);
		}
		this.#stopChildren();
		return slippedAway > 0 || this.#found.size > before;
	}

	#stopChildren(): void {
		const parents = new Set([...this.#found].map(({ entry }) => entry.pid));
		for (let before = -1; before !== parents.size; ) {
			before = parents.size;
			for (const stranger of this.#strangers) {
				if (!parents.has(stranger.entry.parent) || !isYounger(stranger, this.#tree)) continue;
				parents.add(stranger.entry.pid);
				this.#strangers.delete(stranger);
				this.#stop(stranger);
			}
		}
	}

	#stop(process: KnownProcess): void {
		this.#found.add(process);
		signalProcess(process.entry, "SIGSTOP");
	}
}

function isYounger({ entry }: KnownProcess, { leader }: ProcessTree): boolean {
	return Number(entry.start) >= Number(leader.start);
}
