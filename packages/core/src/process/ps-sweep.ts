import { setTimeout as delay } from "node:timers/promises";
import treeKill from "tree-kill";
import { hasProgram } from "./host-program.js";
import type { Lineage } from "./lineage.js";
import type { ProcessEntry } from "./process-entry.js";
import { readPsTable } from "./ps-table.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

const EARLY_LOOK_MS = 200;
// The group is killed then, whatever the look will bring.
const LONGEST_FIRST_LOOK_MS = 100;
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
		await this.#read();
	}

	async end(until: number): Promise<void> {
		const reading = this.#living();
		let left = await Promise.race([reading, delay(LONGEST_FIRST_LOOK_MS)]);
		while (left?.length !== 0) {
			signalGroup(this.#tree, "SIGKILL");
			await Promise.all((left ?? (await reading) ?? []).map(({ pid }) => this.#kill(pid)));
			if (!hasProgram("ps") || performance.now() >= until) return;
			await delay(PAUSE_MS);
			left = await this.#living();
		}
	}

	async #living(): Promise<ProcessEntry[] | undefined> {
		return (await this.#read())?.filter((entry) => entry.alive && this.#isOurs(entry));
	}

	async #read(): Promise<ProcessEntry[] | undefined> {
		const table = await readPsTable();
		if (table !== undefined) adoptFrom(table, this.#tree.lineage, this.#tree.leader.pid);
		return table;
	}

	#isOurs(entry: ProcessEntry): boolean {
		if (entry.pid <= 1 || entry.pid === process.pid) return false;
		return entry.group === this.#tree.leader.pid || this.#tree.lineage.has(entry);
	}

	async #kill(pid: number): Promise<void> {
		if (pid !== this.#tree.leader.pid) this.#killed.add(pid);
		await killWithDescendants(pid);
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
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// It is gone.
		}
		resolve();
	});
}
