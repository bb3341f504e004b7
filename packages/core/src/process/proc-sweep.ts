import { setTimeout as delay } from "node:timers/promises";
import { follow, look, unfollow } from "./lineage.js";
import { Membership } from "./membership.js";
import { pidsSince } from "./pid-range.js";
import { isAlive, signalProcess } from "./proc-files.js";
import { type KnownProcess, knownProcesses, type Refresh, tableAge } from "./process-table.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

// Fresh enough to count a group by and to adopt orphans from; what is proved by a look looks anew.
const FRESH_MS = 10;
const LONGEST_PAUSE_MS = 128;
const LONGEST_WAIT_FOR_DEATH_MS = 8;
const STOPPING_BOUND_MS = 40;
// On a busy host strangers come and go unseen at every look. Of a tree that goes on, one process or another is met at one of so many.
const IDLE_LOOKS = 8;
// Too short for the numbers of processes to go round once.
const PID_CIRCLE_MS = 1000;

/** Finds and ends the processes of one tree (Linux). */
export class ProcSweep implements Sweep {
	readonly #tree: ProcessTree;
	readonly #members: Membership;
	readonly #examined: Set<KnownProcess> = new Set();
	readonly #strangers: Map<number, KnownProcess> = new Map();
	readonly #found: Set<KnownProcess> = new Set();
	readonly #signalled: Set<KnownProcess> = new Set();
	readonly #beyondReach: Set<KnownProcess> = new Set();
	#idleLooks = 0;
	#canSee = true;

	constructor(tree: ProcessTree) {
		this.#tree = tree;
		this.#members = new Membership(tree);
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
		try {
			await this.#endAll(until);
		} finally {
			this.cease();
		}
	}

	async #endAll(until: number): Promise<void> {
		// Where many runs end at once, all their groups die before any of them looks for more, and there is less to look through.
		if (this.#killGroup()) await delay(1);
		// What has its SIGKILL starts nothing any more, so once all have it there is only their death to wait for.
		let isComplete = false;
		for (let pause = 1; ; pause *= 2) {
			isComplete ||= !this.killFound();
			const left = until - performance.now();
			if ((isComplete && !this.#isDying) || left <= 0) return;
			await delay(Math.min(pause, left, isComplete ? LONGEST_WAIT_FOR_DEATH_MS : LONGEST_PAUSE_MS));
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
		while (!isQuiet && this.#canSee && performance.now() < until) isQuiet = !this.#stopNew();
		for (const process of this.#living) this.#kill(process);
		return !isQuiet || this.#found.size > before;
	}

	#killGroup(): boolean {
		if (tableAge() > FRESH_MS) this.#look();
		const { pid } = this.#tree.leader;
		for (const process of knownProcesses()) if (process.entry.group === pid && this.#members.has(process)) this.#take(process);
		if (this.#canSee && this.#found.size === 0) return false;
		for (const process of this.#living) this.#signalled.add(process);
		signalGroup(this.#tree, "SIGKILL");
		return true;
	}

	get #living(): KnownProcess[] {
		return [...this.#found].filter(({ entry }) => isAlive(entry));
	}

	get #isDying(): boolean {
		return this.#living.some((process) => !this.#beyondReach.has(process));
	}

	#kill(process: KnownProcess): void {
		if (signalProcess(process.entry, "SIGKILL")) this.#signalled.add(process);
		// It has become another user's, e.g. through sudo: it would be waited for in vain.
		else if (isAlive(process.entry)) this.#beyondReach.add(process);
	}

	#stopNew(): boolean {
		const { missed } = this.#look();
		const before = this.#found.size;
		let slippedAway = missed;
		for (const process of knownProcesses()) {
			if (this.#examined.has(process)) continue;
			if (this.#members.has(process)) this.#stop(process);
			else if (this.#members.mayHaveMissed(process, this.#strangers)) slippedAway += 1;
			else this.#strangers.set(process.entry.pid, process);
			this.#examined.add(process);
		}
		this.#stopChildren();
		this.#idleLooks = this.#found.size > before || !this.#canSee ? 0 : this.#idleLooks + 1;
		return this.#idleLooks === 0 || (slippedAway > 0 && this.#idleLooks < IDLE_LOOKS);
	}

	#look(): Refresh {
		const { leader, lineage } = this.#tree;
		const refresh = look(performance.now() - lineage.begunAt < PID_CIRCLE_MS ? pidsSince(leader.pid) : undefined);
		this.#canSee = refresh.isListed;
		return refresh;
	}

	#stopChildren(): void {
		const parents = new Set([...this.#found].map(({ entry }) => entry.pid));
		for (let before = -1; before !== parents.size; ) {
			before = parents.size;
			for (const stranger of this.#strangers.values()) {
				if (!parents.has(stranger.entry.parent) || !this.#members.mayHold(stranger.entry)) continue;
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
