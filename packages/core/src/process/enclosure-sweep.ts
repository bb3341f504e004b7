import type { Enclosure } from "./bounded-run.js";
import { signalGroup } from "./signal-group.js";
import type { ProcessTree, Sweep } from "./tree.js";

/** Ends a tree that dies with its leader. Nobody has to be looked for, so nobody is counted either. */
export class EnclosureSweep implements Sweep {
	readonly killed: number = 0;
	readonly #tree: ProcessTree;
	readonly #enclosure: Enclosure;

	constructor(tree: ProcessTree, enclosure: Enclosure) {
		this.#tree = tree;
		this.#enclosure = enclosure;
	}

	begin(): void {}

	cease(): void {}

	async observe(): Promise<void> {}

	killFound(): boolean {
		signalGroup(this.#tree, "SIGKILL");
		return false;
	}

	async end(): Promise<void> {
		signalGroup(this.#tree, "SIGKILL");
		await this.#enclosure.emptied();
	}
}
