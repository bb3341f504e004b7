import { ConfigurationError } from "../errors/configuration-error.js";
import type { HookChain } from "../hook/hook-chain.js";
import type { Memory } from "../memory/memory.js";
import type { RobotResult } from "../message/robot-result.js";
import { ABORTED, unlessAborted } from "../robot/abort.js";
import type { Delegate } from "../robot/delegation-future.js";
import { failureFacts } from "../robot/failure-facts.js";
import { retryDelay } from "../robot/retry.js";
import { failedEnding } from "../robot/run-ending.js";
import { RunInside } from "../stream/open-run.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { InterruptReason } from "../stream/stream-event.js";
import type { TemplateContext } from "../template/template.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../tool/error-text.js";
import type { NetworkRecord } from "./network-record.js";
import type { TaskOutcome } from "./network-result.js";
import { isRecord, type NetworkTask } from "./network-task.js";
import { recordOf } from "./record-of.js";
import type { TaskState } from "./schedule.js";
import { taskAnswer, textResult } from "./task-answer.js";
import { DecisionTaker, NO_DECISIONS, type TaskDecisions } from "./task-decisions.js";
import { taskMessage } from "./task-message.js";
import type { TaskFlow } from "./task-options.js";
import { aborted, within } from "./within.js";

/** A result, and the task that came to it. */
export type TaskResult = readonly [task: string, result: RobotResult];

/** What a task is given by the run of its network. */
export interface TaskSurroundings {
	/** The task's run in the log. */
	readonly run: RunPublisher;
	readonly network: NetworkRecord;
	/** Those of the network's run; `undefined` where there are none. */
	readonly hooks: HookChain | undefined;
	readonly message: string;
	readonly context: Readonly<Record<string, unknown>>;
	readonly memory: Memory;
	/** What it depends on came to. */
	readonly answers: readonly TaskResult[];
	/** What the task that activated it came to. */
	readonly activator: readonly TaskResult[];
	/** Ends the run of the whole network. */
	readonly stop: AbortSignal;
	/** Why that was ended, for the log. */
	readonly interruptReason: () => InterruptReason;
	/** Throws for a task that this one cannot activate. */
	readonly checkActivation: (task: string) => void;
}

/** How a task ended. */
export interface TaskReport {
	readonly outcome: TaskOutcome;
	/** Of a task that is done. */
	readonly result?: RobotResult;
	readonly decisions: TaskDecisions;
}

/** Runs one task to its end, whatever the end is. Never rejects. */
export function runTask(task: NetworkTask, given: TaskSurroundings): Promise<TaskReport> {
	return new TaskRun(task, given).toEnd();
}

/** What a robot is asked, in every attempt. */
interface Asked {
	readonly message: string;
	readonly context: TemplateContext | undefined;
}

class TaskRun {
	readonly #task: NetworkTask;
	readonly #given: TaskSurroundings;
	readonly #startedAt = performance.now();
	#attempts = 0;
	#error: unknown;
	#memory: Memory | undefined;

	constructor(task: NetworkTask, given: TaskSurroundings) {
		this.#task = task;
		this.#given = given;
	}

	async toEnd(): Promise<TaskReport> {
		const { run, stop, interruptReason } = this.#given;
		try {
			const result = await this.#answer();
			const decisions = await this.#next(result);
			run.end({ event: "run.completed", stopReason: result.stopReason, resultId: result.id });
			return { outcome: this.#outcome("done"), result, decisions };
		} catch (error) {
			if (stop.aborted) {
				run.end({ event: "run.interrupted", reason: interruptReason() });
				return { outcome: this.#outcome("cancelled"), decisions: NO_DECISIONS };
			}
			run.end(failedEnding(error));
			this.#error = error;
			return { outcome: this.#outcome("failed"), decisions: NO_DECISIONS };
		}
	}

	/** What it comes to, with the hooks around it. */
	async #answer(): Promise<RobotResult> {
		const { network, hooks } = this.#given;
		const { name: taskName } = this.#task;
		const { message, context } = await this.#asked();
		if (!hooks?.has("task")) return this.#attempt({ message, context });
		const facts = { networkName: network.name, taskName, input: message };
		const answer = await hooks.run("task", facts, ({ input }) => this.#attempt({ message: this.#text("hooks", input), context }));
		const result = taskAnswer(taskName, answer);
		if (result === ABORTED) throw aborted(taskName);
		return result;
	}

	/** What its robot comes to, in as many attempts as it may take, or its fallback. Rejects where both fail, and where it is stopped. */
	async #attempt(asked: Asked): Promise<RobotResult> {
		const { robot, retry } = this.#task;
		const { run, stop } = this.#given;
		for (;;) {
			this.#attempts += 1;
			const step = retry === undefined ? undefined : run.step("attempt", this.#attempts);
			try {
				const result = await this.#bounded((signal) => this.#ask(robot, asked, signal));
				step?.complete(result.stopReason);
				return result;
			} catch (error) {
				const isFinal = retry === undefined || stop.aborted || ConfigurationError.isInstance(error);
				const delayMs = isFinal ? undefined : retryDelay(this.#attempts, undefined, retry);
				step?.fail(failureFacts(error), delayMs);
				if (isFinal || delayMs === undefined) return this.#fallback(error, asked);
				await unlessAborted(Promise.resolve(retry.sleep(delayMs, stop)), stop);
				stop.throwIfAborted();
			}
		}
	}

	async #fallback(error: unknown, asked: Asked): Promise<RobotResult> {
		const { fallback } = this.#task.options;
		const { run, stop } = this.#given;
		if (fallback === undefined || stop.aborted) throw error;
		this.#error = error;
		const step = run.step("fallback", 1);
		try {
			const result = await this.#bounded(async (signal) => {
				if (typeof fallback !== "function") return this.#ask(fallback, asked, signal);
				return textResult(this.#task.robot.name, this.#text("fallback", await fallback(error, this.#flow(signal))));
			});
			step.complete(result.stopReason);
			return result;
		} catch (failure) {
			step.fail(failureFacts(failure));
			throw new AggregateError([error, failure], `${messageOf(error)} Its fallback failed, too: ${messageOf(failure)}`);
		}
	}

	/** What its robot is to be asked. A promise only where a function makes something of it. */
	#asked(): Asked | Promise<Asked> {
		const { input, context } = this.#task.options;
		const { message, answers } = this.#given;
		if (input === undefined && typeof context !== "function") return { message: taskMessage(message, answers), context };
		return this.#bounded(async (signal) => {
			const flow = this.#flow(signal);
			const asked = input === undefined ? taskMessage(message, answers) : this.#text("input", await input(flow));
			return { message: asked, context: typeof context === "function" ? await context(flow) : context };
		});
	}

	async #ask(robot: Delegate, { message, context }: Asked, signal: AbortSignal): Promise<RobotResult | typeof ABORTED> {
		const { name, options } = this.#task;
		const { run, network } = this.#given;
		const memory = (): Memory => this.#ownMemory;
		const answer = await robot.run(message, {
			parent: new RunInside(run, signal),
			signal,
			// made when it is asked for: a handle costs as much as all else of a short task
			get memory(): Memory {
				return memory();
			},
			inherited: { task: options, network },
			...(context !== undefined && { context }),
		});
		return taskAnswer(name, answer);
	}

	async #next(result: RobotResult): Promise<TaskDecisions> {
		const { next } = this.#task.options;
		if (next === undefined) return NO_DECISIONS;
		const taker = new DecisionTaker(this.#task.name, this.#given.checkActivation);
		try {
			await this.#bounded(async (signal) => {
				await next(result, { ...this.#flow(signal), activate: taker.activate, halt: taker.halt });
			});
		} finally {
			taker.close();
		}
		return taker;
	}

	#bounded<T>(work: (signal: AbortSignal) => Promise<T | typeof ABORTED>): Promise<T> {
		const { name: task, options } = this.#task;
		return within({ task, timeoutMs: options.timeoutMs, stop: this.#given.stop }, work);
	}

	#flow(signal: AbortSignal): TaskFlow {
		const { name: task, options } = this.#task;
		const { message, answers, activator, context } = this.#given;
		const own = isRecord(options.context) ? options.context : {};
		return {
			task,
			message,
			results: recordOf([...activator, ...answers]),
			context: { ...context, ...own },
			memory: this.#ownMemory,
			signal,
		};
	}

	get #ownMemory(): Memory {
		this.#memory ??= (this.#task.options.memory ?? this.#given.memory).as(this.#task.name);
		return this.#memory;
	}

	#text(option: "input" | "fallback" | "hooks", text: unknown): string {
		if (typeof text === "string") return text;
		throw new ConfigurationError(`The ${option} of the task "${this.#task.name}" must make text, and made ${describeValue(text)}.`);
	}

	#outcome(state: TaskState): TaskOutcome {
		const durationMs = performance.now() - this.#startedAt;
		return Object.freeze({ state, durationMs, attempts: this.#attempts, ...(this.#error !== undefined && { error: this.#error }) });
	}
}
