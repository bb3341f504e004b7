import { ConfigurationError } from "../errors/configuration-error.js";
import type { Memory } from "../memory/memory.js";
import type { RobotResult } from "../message/robot-result.js";
import type { ABORTED } from "../process/unless-aborted.js";
import type { Delegate } from "../robot/delegation-future.js";
import { RunInside } from "../stream/open-run.js";
import type { TemplateContext } from "../template/template.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import type { NetworkTask } from "./network-task.js";
import { recordOf } from "./record-of.js";
import { taskAnswer } from "./task-answer.js";
import { taskMessage } from "./task-message.js";
import type { TaskFlow } from "./task-options.js";
import { taskRequest } from "./task-request.js";
import type { LocalTaskOptions } from "./task-runner.js";
import type { TaskSurroundings } from "./task-surroundings.js";
import { within } from "./within.js";

/** What a robot is asked, in every attempt. */
export interface Asked {
	readonly message: string;
	readonly context: TemplateContext | undefined;
}

/** What a task gives to its robot and to its functions. */
export class TaskAsking {
	readonly #task: NetworkTask;
	readonly #given: TaskSurroundings;
	#memory: Memory | undefined;

	constructor(task: NetworkTask, given: TaskSurroundings) {
		this.#task = task;
		this.#given = given;
	}

	/** What its robot is to be asked. A promise only where a function makes something of it. */
	asked(): Asked | Promise<Asked> {
		const { input, context } = this.#task.options;
		const { message, answers } = this.#given;
		if (input === undefined && typeof context !== "function") return { message: taskMessage(message, answers), context };
		return this.bounded(async (signal) => {
			const flow = this.flow(signal);
			const asked = input === undefined ? taskMessage(message, answers) : this.text("input", await input(flow));
			return { message: asked, context: typeof context === "function" ? await context(flow) : context };
		});
	}

	/**
	 * Asks a robot once. ABORTED where it was stopped.
	 *
	 * @param attempt A word for it that no other attempt of the task has, without a slash.
	 */
	async ask(robot: Delegate, attempt: string, { message, context }: Asked, signal: AbortSignal): Promise<RobotResult | typeof ABORTED> {
		const { name, options } = this.#task;
		const { run, networkRunId, network, robotHooks, runner } = this.#given;
		const local: LocalTaskOptions = {
			parent: new RunInside(run, signal),
			signal,
			memory: this.#memoryOfTask,
			inherited: { writer: name, task: options, network, ...(robotHooks.length > 0 && { hooks: robotHooks }) },
			...(context !== undefined && { context }),
		};
		// nobody could ask it again: no key is made, and nothing remembered by it
		if (runner === undefined) return taskAnswer(name, await robot.run(message, local));
		const key = `${networkRunId}/${attempt}/${name}`;
		const request = taskRequest({ key, network, task: this.#task, robot: robot.name, message, context });
		return taskAnswer(name, await runner.run(request, { robot, options: local, hasOwnMemory: options.memory !== undefined }));
	}

	/** Does a piece of the task's work within its time: see {@link within}. */
	bounded<T>(work: (signal: AbortSignal) => Promise<T | typeof ABORTED>): Promise<T> {
		const { name: task, options } = this.#task;
		return within({ task, timeoutMs: options.timeoutMs, stop: this.#given.stop }, work);
	}

	/** What the task's functions are given. */
	flow(signal: AbortSignal): TaskFlow {
		const { name: task, options } = this.#task;
		const { message, answers, activator, context } = this.#given;
		const own = isRecord(options.context) ? options.context : {};
		return {
			task,
			message,
			results: recordOf([...activator, ...answers]),
			context: { ...context, ...own },
			memory: this.#memoryOfTask,
			signal,
		};
	}

	get #memoryOfTask(): Memory {
		this.#memory ??= (this.#task.options.memory ?? this.#given.memory).as(this.#task.name);
		return this.#memory;
	}

	/** Throws ConfigurationError for what a function or a hook made, and that is no text. */
	text(option: "input" | "fallback" | "hooks", text: unknown): string {
		if (typeof text === "string") return text;
		throw new ConfigurationError(`The ${option} of the task "${this.#task.name}" must make text, and made ${describeValue(text)}.`);
	}
}
