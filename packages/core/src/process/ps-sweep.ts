import { setTimeout as delay } from "node:timers/promises";
import treeKill from "tree-kill";
import { hasProgram } from "./host-program.js";
import type { Lineage } from "./lineage.js";
import type { ProcessEntry } from "./process-entry.js";
import { readPsTable, readPsTableNow } from "./ps-table.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

const EARLY_LOOK_MS = 200;
// The group is killed then, whatever the look will bring.
const LONGEST_FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 2000;
// This process stands still for that long when it is about to end.
const LAST_LOOK_MS = 500;
const PAUSE_MS = 10;
const LISTING_PROGRAM = process.platform === "darwin" ? "pgrep" : "ps";

/**
 * Finds and ends the processes of one tree where there is no `/proc`, such as on macOS.
 *
 * It knows the leader's group and whatever descends from the leader at a time when it looks, through children that left the group
 * too. A process whose parent had ended before the first look and that had left the group is not found.
 */
export class PsSweep implements Sweep {
	readonly #tree: ProcessTree;
	readonly #killed: Set<number> = new Set();
	readonly #beyondReach: Set<number> = new Set();
	#timer: NodeJS.Timeout | undefined;

	constructor(tree: ProcessTree) {
		this.#tree = tree;
	}

	get killed(): number {
		return this.#killed.size;
	}

	/** Looks once early: who is orphaned later has been seen then, and the first look takes the longest. */
	begin(): void {
		this.#timer = setTimeout(() => void this.observe(), EARLY_LOOK_MS);
		this.#timer.unref();
	}

	cease(): void {
		clearTimeout(this.#timer);
	}

	async observe(): Promise<void> {
		await this.#look(LONGEST_LOOK_MS);
	}

	async end(until: number): Promise<void> {
		try {
			await this.#endAll(until);
		} finally {
			this.cease();
		}
	}

	killFound(): boolean {
		const living = this.#livingIn(readPsTableNow(LAST_LOOK_MS)) ?? [];
		for (const { pid } of living) this.#note(pid, kill(pid, "SIGKILL"));
		return living.length > 0;
	}

	async #endAll(until: number): Promise<void> {
		const bound = (): number => Math.max(1, Math.min(LONGEST_LOOK_MS, until - performance.now()));
		const reading = this.#look(bound());
		const early = await Promise.race([reading, delay(LONGEST_FIRST_LOOK_MS, "late" as const, { ref: false })]);
		if (early === "late") signalGroup(this.#tree, "SIGKILL");
		for (let living = await reading; this.#isLeft(living); living = await this.#look(bound())) {
			signalGroup(this.#tree, "SIGKILL");
			await Promise.all((living ?? []).map(({ pid }) => this.#killWithDescendants(pid)));
			if (performance.now() >= until) return;
			await delay(PAUSE_MS);
		}
	}

	/** Where the table cannot be read, the group at least can be asked. */
	#isLeft(living: readonly ProcessEntry[] | undefined): boolean {
		return living === undefined ? kill(-this.#tree.leader.pid, 0) === "sent" : living.length > 0;
	}

	async #look(boundMs: number): Promise<ProcessEntry[] | undefined> {
		return this.#livingIn(await readPsTable(boundMs));
	}

	#livingIn(table: readonly ProcessEntry[] | undefined): ProcessEntry[] | undefined {
		if (table !== undefined) adoptFrom(table, this.#tree.lineage, this.#tree.leader.pid);
		return table?.filter((entry) => entry.alive && this.#isOurs(entry) && !this.#beyondReach.has(entry.pid));
	}

	#isOurs(entry: ProcessEntry): boolean {
		if (entry.pid <= 1 || entry.pid === process.pid) return false;
		return entry.group === this.#tree.leader.pid || this.#tree.lineage.has(entry);
	}

	async #killWithDescendants(pid: number): Promise<void> {
		const outcome = kill(pid, 0);
		this.#note(pid, outcome);
		if (outcome === "sent") await killWithDescendants(pid);
	}

	/** A process that has become another user's, e.g. through sudo, would be waited for in vain. */
	#note(pid: number, outcome: SignalOutcome): void {
		if (outcome === "refused") this.#beyondReach.add(pid);
		else if (pid !== this.#tree.leader.pid) this.#killed.add(pid);
	}
}

type SignalOutcome = "sent" | "refused" | "gone";

function kill(pid: number, signal: NodeJS.Signals | 0): SignalOutcome {
	try {
		process.kill(pid, signal);
		return "sent";
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM" ? "refused" : "gone";
	}
}

function adoptFrom(table: readonly ProcessEntry[], lineage: Lineage, leader: number): void {
	const starts = new Map(table.map(({ pid, start }) => [pid, start]));
	const root = table.find(({ pid }) => pid === leader);
	if (root !== undefined) lineage.include(root);
	lineage.adopt(table, ({ pid, start }) => starts.get(pid) === start);
}

/** tree-kill crashes the whole process where the program it lists children with is missing, so it is asked only where that is there. */
function killWithDescendants(pid: number): Promise<void> {
	return new Promise((resolve) => {
		if (hasProgram(LISTING_PROGRAM)) return treeKill(pid, "SIGKILL", () => resolve());
		kill(pid, "SIGKILL");
		resolve();
	});
}
