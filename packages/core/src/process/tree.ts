import type { Enclosure } from "./bounded-run.js";
import type { Lineage } from "./lineage.js";
import type { Mark } from "./mark.js";
import type { ProcessIdentity } from "./process-entry.js";

/** The variable every bounded run sets for its child. A run inside a run adds its own id behind the outer one's. */
export const RUN_ID_VARIABLE = "ROBOT_LAB_RUN_ID";

/** Everything by which the processes of one run are known. */
export interface ProcessTree {
	/** The process that was started; its pid is its group's and its session's number too. */
	readonly leader: ProcessIdentity;
	readonly runId: string;
	readonly mark: Mark | undefined;
	/** The output pipes, as `/proc/<pid>/fd` names them. */
	readonly pipes: readonly string[];
	readonly lineage: Lineage;
	/** What holds all of them together, where there is such a thing. */
	readonly enclosure?: Enclosure | undefined;
}

/** A way of finding and ending the processes of one tree. */
export interface Sweep {
	/** How many processes other than the leader had to be killed. */
	readonly killed: number;
	/** Keeps an eye on the tree from now on, at little cost. */
	begin(): void;
	/** Keeps no eye on it any more. */
	cease(): void;
	/** Notes whose descendants are whose, as far as it can be seen now. To be called before anything is signalled. */
	observe(): Promise<void>;
	/**
	 * Kills everything that can be found and waits until it is dead; keeps an eye on the tree until then, and none afterwards.
	 *
	 * @param until When to give up, on the clock of `performance.now()`.
	 */
	end(until: number): Promise<void>;
	/** Kills what can be found at once, without waiting for anything; answers whether there may be more. */
	killFound(): boolean;
}
