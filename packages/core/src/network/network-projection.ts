import type { FailureFacts, PublishedEvent, StreamEvent } from "../stream/stream-event.js";
import { isRecord } from "../text/describe-value.js";
import type { DrawnOutcome } from "./drawn-task.js";
import { NetworkDrawing } from "./network-drawing.js";
import { isNetworkRecord, type NetworkRecord } from "./network-record.js";
import { recordOf } from "./record-of.js";
import type { TaskState } from "./schedule.js";

const ENDS: ReadonlyMap<string, TaskState> = new Map([
	["run.completed", "done"],
	["run.failed", "failed"],
	["run.interrupted", "cancelled"],
]);
/** How a task may end that has not run. */
const UNRUN: ReadonlySet<unknown> = new Set<TaskState>(["skipped", "blocked", "cancelled"]);

/**
 * A network's run drawn from nothing but its log: while it goes on, or from a file of long ago. It is that of the first network that the log tells
 * of; one that runs beneath that is no part of it. What makes no sense in a file is passed over.
 */
export class NetworkProjection {
	#network: { readonly runId: string; readonly record: NetworkRecord } | undefined;
	readonly #outcomes = new Map<string, DrawnOutcome>();
	/** The tasks by the ids of their runs. */
	readonly #tasks = new Map<string, string>();
	/** By task: what its robot failed with last. */
	readonly #failures = new Map<string, FailureFacts>();

	/** Is given each event of a log, in order. */
	observe(event: StreamEvent | PublishedEvent): void {
		this.#observe(event as PublishedEvent);
	}

	/** The network with what has become of its tasks so far; `undefined` before its run began. */
	get drawing(): NetworkDrawing | undefined {
		return this.#network && new NetworkDrawing(this.#network.record, this.outcomes);
	}

	/** What has become of its tasks so far, without those that nobody has heard of yet. */
	get outcomes(): Readonly<Record<string, DrawnOutcome>> {
		return recordOf(this.#outcomes);
	}

	#observe({ event, data }: PublishedEvent): void {
		const { runId, messageId: _, scope, parentRunId, ...facts } = data;
		if (event === "network.planned" && isNetworkRecord(facts)) this.#network ??= { runId, record: facts };
		const network = this.#network?.runId;
		if (network === undefined) return;
		if (event === "network.task" && runId === network && UNRUN.has(facts.state))
			this.#note(String(facts.task), { state: facts.state as TaskState });
		if (event === "run.started" && scope === "task" && parentRunId === network) this.#begin(runId, String(facts.name));
		const task = this.#tasks.get(runId);
		const state = ENDS.get(event);
		if (task === undefined) return;
		const failure = isFailure(facts.error) ? facts.error : undefined;
		if (state !== undefined) this.#note(task, { state, durationMs: Number(facts.durationMs), ...(failure && { error: failure }) });
		if (event === "step.started" && facts.name === "attempt") this.#note(task, { attempts: Number(facts.attempt) });
		if (event === "step.failed" && facts.name === "attempt" && failure) this.#failures.set(task, failure);
		if (event === "step.completed" && facts.name === "fallback") this.#noteFallback(task);
	}

	/** Its fallback has answered for what its robot failed with. */
	#noteFallback(task: string): void {
		const error = this.#failures.get(task);
		if (error !== undefined) this.#note(task, { error });
	}

	#begin(runId: string, task: string): void {
		this.#tasks.set(runId, task);
		this.#note(task, { attempts: 1 });
	}

	#note(task: string, facts: Partial<DrawnOutcome>): void {
		this.#outcomes.set(task, { state: "running", ...this.#outcomes.get(task), ...facts });
	}
}

const isFailure = (error: unknown): error is FailureFacts => isRecord(error) && typeof error.message === "string";
