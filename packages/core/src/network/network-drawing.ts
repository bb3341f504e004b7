import { drawDot } from "./draw-dot.js";
import { drawList } from "./draw-list.js";
import { drawMermaid } from "./draw-mermaid.js";
import { drawPlan } from "./draw-plan.js";
import type { DrawnOutcomes } from "./drawn-task.js";
import type { NetworkRecord } from "./network-record.js";

/** A network to be drawn: as it is, or with what became of its tasks so far. */
export class NetworkDrawing {
	readonly #network: NetworkRecord;
	readonly #outcomes: DrawnOutcomes;

	/** @param outcomes Those of tasks that are left out are not drawn. Default: of none. */
	constructor(network: NetworkRecord, outcomes: DrawnOutcomes = {}) {
		this.#network = network;
		this.#outcomes = outcomes;
	}

	/** A list of the tasks with what they wait for, for a terminal. */
	visualize(): string {
		return drawList(this.#network, this.#outcomes);
	}

	/** A flow chart for https://mermaid.js.org. */
	toMermaid(): string {
		return drawMermaid(this.#network, this.#outcomes);
	}

	/** A graph for Graphviz. */
	toDot(): string {
		return drawDot(this.#network, this.#outcomes);
	}

	/** Which tasks can run side by side, as text. */
	executionPlan(): string {
		return drawPlan(this.#network, this.#outcomes);
	}

	/** What the network is made of. */
	toJSON(): NetworkRecord {
		return this.#network;
	}
}
