import type { SharedComputation } from "../process/shared-computation.js";
import type { Approval } from "./approval-store.js";
import type { KnownBundle } from "./bundle-digest.js";

/** What this process knows of bundles, by their real paths, for one that decides about them. */
export class ApprovalMemory {
	/** What was read last of each. */
	readonly bundles: Map<string, KnownBundle> = new Map();
	/** What was approved in this process. */
	readonly approvals: Map<string, Approval> = new Map();
	/** Questions that nobody has answered yet. */
	readonly questions: Map<string, SharedComputation<string | undefined>> = new Map();
}

/** Of the module: a robot comes by with the same function for every run, and losing what it knows costs a question. Nobody else's answers count for it. */
const memories = new WeakMap<object, Map<string, ApprovalMemory>>();

/** What is known for one function that approves, or one lock, in one store: what was approved for good is written in each. */
export function memoryFor(decider: object, store: string): ApprovalMemory {
	const ofDecider = memories.get(decider) ?? new Map<string, ApprovalMemory>();
	memories.set(decider, ofDecider);
	const memory = ofDecider.get(store) ?? new ApprovalMemory();
	ofDecider.set(store, memory);
	return memory;
}
