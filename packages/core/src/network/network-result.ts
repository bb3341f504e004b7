import { RobotResult } from "../message/robot-result.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";
import { failureFacts } from "../stream/failure-facts.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { recordOf } from "./record-of.js";
import type { TaskState } from "./schedule.js";

/**
 * How the run of a network ended.
 *
 * - `done`: every task that was to run is done.
 * - `failed`: a task failed, and no fallback answered for it.
 * - `halted`: a task ended it with `flow.halt()`.
 * - `cancelled`: the caller's signal, or the end of the run above.
 */
export type NetworkStatus = "done" | "failed" | "halted" | "cancelled";

/** What became of a task. */
export interface TaskOutcome {
	/**
	 * `done`; `failed`; `skipped`: optional and never activated, or dependent on such tasks alone; `blocked`: it depends on a task that failed;
	 * `cancelled`: stopped, or not started, because the run ended before.
	 */
	readonly state: TaskState;
	/** Milliseconds from its start to its end, waits included. 0 where it never started. */
	readonly durationMs: number;
	/** How often its robot was run. */
	readonly attempts: number;
	/**
	 * What it failed with; what is thrown and is no Error is its `cause`. On a task that is done: its fallback answered, and this is why it was asked. A
	 * task that is done without a fallback has none.
	 */
	readonly error?: Error;
}

/** A task's outcome as JSON. */
export interface TaskOutcomeRecord extends Omit<TaskOutcome, "error"> {
	readonly error?: FailureFacts;
}

/** The result of a network's run as JSON. */
export interface NetworkResultRecord {
	readonly network: string;
	readonly status: NetworkStatus;
	readonly durationMs: number;
	readonly value?: unknown;
	readonly results: Readonly<Record<string, RobotResultRecord>>;
	readonly tasks: Readonly<Record<string, TaskOutcomeRecord>>;
	readonly activated: readonly string[];
}

/** What a NetworkResult is made of. */
export interface NetworkResultInit {
	readonly network: string;
	readonly status: NetworkStatus;
	readonly durationMs: number;
	readonly value: unknown;
	readonly results: Iterable<readonly [task: string, result: RobotResult]>;
	readonly tasks: Iterable<readonly [task: string, outcome: TaskOutcome]>;
	readonly activated: readonly string[];
}

/** The outcome of one run of a network. Immutable. Everything in it is in the order in which the tasks were defined. */
export class NetworkResult<Tasks extends string = string> {
	/** The network's name. */
	readonly network: string;
	readonly status: NetworkStatus;
	readonly durationMs: number;
	/**
	 * What the network came to. `halted`: what was given to `halt()`, or the result of the task that halted. Otherwise the result of the last task
	 * that is done and that no other depends on; `undefined` where there is none.
	 */
	readonly value: unknown;
	/** The results of the tasks that are done. */
	readonly results: Readonly<Partial<Record<Tasks, RobotResult>>>;
	/** Every task, and what became of it. */
	readonly tasks: Readonly<Record<Tasks, TaskOutcome>>;
	/** The optional tasks that were activated. */
	readonly activated: readonly Tasks[];

	constructor(init: NetworkResultInit) {
		this.network = init.network;
		this.status = init.status;
		this.durationMs = init.durationMs;
		this.value = init.value;
		this.results = recordOf(init.results) as Readonly<Partial<Record<Tasks, RobotResult>>>;
		this.tasks = recordOf(init.tasks) as Readonly<Record<Tasks, TaskOutcome>>;
		this.activated = Object.freeze([...(init.activated as readonly Tasks[])]);
		Object.freeze(this);
	}

	/** The text that the network came to, where its value is text or a result that has some. */
	get lastTextContent(): string | undefined {
		if (typeof this.value === "string") return this.value;
		return this.value instanceof RobotResult ? this.value.lastTextContent : undefined;
	}

	/** Everything, ready for `JSON.stringify`; of errors their message and code, and of a value that JSON cannot say what comes near it. */
	toJSON(): NetworkResultRecord {
		const results = Object.entries<RobotResult | undefined>(this.results).flatMap(([task, result]) =>
			result ? [[task, result.toJSON()] as const] : [],
		);
		const tasks = Object.entries<TaskOutcome>(this.tasks).map(
			([task, { error, ...outcome }]) => [task, { ...outcome, ...(error !== undefined && { error: failureFacts(error) }) }] as const,
		);
		return {
			network: this.network,
			status: this.status,
			durationMs: this.durationMs,
			...(this.value !== undefined && { value: this.value instanceof RobotResult ? this.value.toJSON() : frozenCopy(this.value) }),
			results: recordOf(results),
			tasks: recordOf(tasks),
			activated: this.activated,
		};
	}
}
