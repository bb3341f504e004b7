import { ConfigurationError } from "../errors/configuration-error.js";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { TaskRunnerError } from "../errors/task-runner-error.js";
import type { HookChain } from "../hook/hook-chain.js";
import type { RobotResult } from "../message/robot-result.js";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import { retryDelay } from "../run/retry.js";
import { failedEnding } from "../run/run-ending.js";
import { failureFacts } from "../stream/failure-facts.js";
import { messageOf } from "../text/message-of.js";
import { errorOf } from "./error-of.js";
import type { TaskOutcome } from "./network-result.js";
import type { NetworkTask } from "./network-task.js";
import type { TaskState } from "./schedule.js";
import { taskAnswer, textResult } from "./task-answer.js";
import { type Asked, TaskAsking } from "./task-asking.js";
import { DecisionTaker, NO_DECISIONS, type TaskDecisions } from "./task-decisions.js";
import type { TaskOptions } from "./task-options.js";
import type { TaskSurroundings } from "./task-surroundings.js";
import { aborted } from "./within.js";

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

class TaskRun {
	readonly #task: NetworkTask;
	readonly #given: TaskSurroundings;
	readonly #asking: TaskAsking;
	#attempts = 0;
	/** What it failed with, or what its fallback has answered for. */
	#error: Error | undefined;

	constructor(task: NetworkTask, given: TaskSurroundings) {
		this.#task = task;
		this.#given = given;
		this.#asking = new TaskAsking(task, given);
	}

	async toEnd(): Promise<TaskReport> {
		const { run, stop, interruptReason } = this.#given;
		try {
			const asked = await this.#asking.asked();
			const result = await (this.#given.hooks?.has("task") ? this.#hooked(this.#given.hooks, asked) : this.#answer(asked));
			const { next } = this.#task.options;
			// what was stopped decides nothing any more
			const decisions = next === undefined || stop.aborted ? NO_DECISIONS : await this.#decide(next, result);
			run.end({ event: "run.completed", stopReason: result.stopReason, resultId: result.id });
			return { outcome: this.#outcome("done"), result, decisions };
		} catch (error) {
			if (stop.aborted) {
				run.end({ event: "run.interrupted", reason: interruptReason() });
				return { outcome: this.#outcome("cancelled"), decisions: NO_DECISIONS };
			}
			run.end(failedEnding(error));
			this.#error = errorOf(error);
			return { outcome: this.#outcome("failed"), decisions: NO_DECISIONS };
		}
	}

	/** What it comes to with the hooks around it. */
	async #hooked(hooks: HookChain, { message, context }: Asked): Promise<RobotResult> {
		const { name: taskName } = this.#task;
		const facts = { networkName: this.#given.network.name, taskName, input: message };
		const answer = await hooks.run("task", facts, ({ input }) => this.#answer({ message: this.#asking.text("hooks", input), context }));
		const result = taskAnswer(taskName, answer);
		if (result === ABORTED) throw aborted(taskName);
		return result;
	}

	/** What its robot comes to, in as many attempts as it may take, or its fallback. Rejects where both fail, and where it is stopped. */
	#answer(asked: Asked): Promise<RobotResult> {
		const { retry, options } = this.#task;
		return retry === undefined && options.fallback === undefined ? this.#attempt(asked) : this.#persist(asked);
	}

	/** What its robot comes to when it is asked once. */
	#attempt(asked: Asked): Promise<RobotResult> {
		this.#attempts += 1;
		const word = `${this.#attempts}`;
		return this.#asking.bounded((signal) => this.#asking.ask(this.#task.robot, word, asked, signal));
	}

	/** {@link #answer} of a task that does not end with the first attempt that fails. */
	async #persist(asked: Asked): Promise<RobotResult> {
		const { retry } = this.#task;
		const { run, stop } = this.#given;
		for (;;) {
			const step = run.step("attempt", this.#attempts + 1);
			try {
				const result = await this.#attempt(asked);
				step.complete(result.stopReason);
				return result;
			} catch (thrown) {
				const error = errorOf(thrown);
				const isFinal = retry === undefined || stop.aborted || !mayBeTriedAgain(error);
				const delayMs = isFinal ? undefined : retryDelay(this.#attempts, undefined, retry);
				step.fail(failureFacts(error), delayMs);
				if (isFinal || delayMs === undefined) return this.#fallback(error, asked);
				await unlessAborted(Promise.resolve(retry.sleep(delayMs, stop)), stop);
				stop.throwIfAborted();
			}
		}
	}

	/** What answers in the place of its robot; rejects with the error where nothing is to. */
	async #fallback(error: Error, asked: Asked): Promise<RobotResult> {
		const { fallback } = this.#task.options;
		const { run, stop } = this.#given;
		// a mistake in the program is to be seen and mended: an answer in its place would hide it from run to run
		if (fallback === undefined || stop.aborted || ConfigurationError.isInstance(error)) throw error;
		const step = run.step("fallback", 1);
		try {
			const result = await this.#asking.bounded(async (signal) => {
				if (typeof fallback !== "function") return this.#asking.ask(fallback, `fallback-${this.#attempts}`, asked, signal);
				return textResult(this.#task.robot.name, this.#asking.text("fallback", await fallback(error, this.#asking.flow(signal))));
			});
			step.complete(result.stopReason);
			this.#error = error;
			return result;
		} catch (failure) {
			step.fail(failureFacts(failure));
			throw bothFailed(error, failure);
		}
	}

	async #decide(next: NonNullable<TaskOptions["next"]>, result: RobotResult): Promise<TaskDecisions> {
		const taker = new DecisionTaker(this.#task.name, this.#given.checkActivation);
		try {
			await this.#asking.bounded(async (signal) => {
				await next(result, { ...this.#asking.flow(signal), activate: taker.activate, halt: taker.halt });
			});
		} finally {
			taker.close();
		}
		return taker;
	}

	#outcome(state: TaskState): TaskOutcome {
		const { durationMs } = this.#given.run;
		return Object.freeze({ state, durationMs, attempts: this.#attempts, ...(this.#error !== undefined && { error: this.#error }) });
	}
}

/** A mistake in the program stays one. */
function bothFailed(error: Error, failure: unknown): RobotLabError {
	const text = `${messageOf(error)} Its fallback failed, too: ${messageOf(failure)}`;
	const cause = new AggregateError([error, failure], text);
	return ConfigurationError.isInstance(failure)
		? new ConfigurationError(text, { cause })
		: new RobotLabError("fallback_failed", text, { cause });
}

/** What a person has to mend first fails each time. */
const mayBeTriedAgain = (error: unknown): boolean =>
	TaskRunnerError.isInstance(error) ? error.code === "worker_lost" : !ConfigurationError.isInstance(error);
