import type { Memory } from "../memory/memory.js";
import type { RobotResult } from "../message/robot-result.js";
import type { Delegate } from "../robot/delegation-future.js";
import type { RetryOptions } from "../run/retry.js";
import type { TemplateContext } from "../template/template.js";
import type { Selection } from "../value/selection.js";

/** What the others do when a task fails: stop at once, or go on as far as they do not depend on it. */
export type FailurePolicy = "fail-fast" | "settle";

/** What a task is given. Nothing of it travels on to the tasks that depend on it. */
export interface TaskFlow<Tasks extends string = string> {
	/** The task's name. */
	readonly task: string;
	/** The message that the whole network was given. */
	readonly message: string;
	/**
	 * What the tasks it depends on came to, by their names. Without those that were left out. On a task that was activated: what the task that
	 * did so came to.
	 */
	readonly results: Readonly<Partial<Record<Tasks, RobotResult>>>;
	/** The run's context, with the task's own values over it. */
	readonly context: Readonly<Record<string, unknown>>;
	/** The memory the network shares, in which this task is the writer. */
	readonly memory: Memory;
	/** Aborted when the task is to end. */
	readonly signal: AbortSignal;
}

/** What a task may decide when it is done. It takes effect when `next` has come to its end. */
export interface NextFlow<Tasks extends string = string, Activated extends string = string> extends TaskFlow<Tasks> {
	/** Lets an optional task start. Throws NetworkError for one that is unknown, not optional, or was left out already. More than once is once. */
	activate(task: Activated): void;
	/** Ends the network here: the others are stopped. @param value The network's `value`. Default: this task's result. */
	halt(value?: unknown): void;
}

/** When a task starts: at once, when another task activates it, or when all the tasks and groups of these names have ended. */
export type DependsOn<Names extends string = string> = "none" | "optional" | readonly Names[];

/** What a task takes besides its robot. */
export interface TaskOptions<Tasks extends string = string, Groups extends string = never, Activated extends string = string> {
	/** Default `"none"`. */
	readonly dependsOn?: DependsOn<Tasks | Groups> | undefined;
	/**
	 * Makes the message for the robot, once, whatever the attempts. Default: the network's message, and behind it the answers of what it depends
	 * on, each below its name. What it throws fails the task, as what `context` throws does.
	 */
	readonly input?: ((flow: TaskFlow<Tasks>) => string | PromiseLike<string>) | undefined;
	/** Values for the parameters of the robot's template, or a function that makes them. Default: none. */
	readonly context?: TemplateContext | ((flow: TaskFlow<Tasks>) => TemplateContext | PromiseLike<TemplateContext>) | undefined;
	/** Which tools the model is told of, where its robot says nothing: `"inherit"` (default) what the network says, `"none"`, or names. */
	readonly tools?: Selection | undefined;
	/** The same for MCP servers. */
	readonly mcp?: Selection | undefined;
	/** Another memory than the network's. */
	readonly memory?: Memory | undefined;
	/** Called with the result of a task that is done, before anything that depends on it starts. What it throws fails the task. */
	readonly next?: ((result: RobotResult, flow: NextFlow<Tasks, Activated>) => unknown) | undefined;
	/** The optional tasks that `next` may activate: drawings show it then, and others it cannot activate. Default: any. */
	readonly activates?: readonly Activated[] | undefined;
	/** Milliseconds that one attempt may take, and so long each of the functions and a fallback. Default: as long as it takes. */
	readonly timeoutMs?: number | undefined;
	/** How often and how patiently a failed task is tried again. A number: so many times. A mistake in the program is not tried again. Default 0. */
	readonly retries?: number | RetryOptions | undefined;
	/**
	 * What answers in the place of a robot that failed for good: another robot, which is given the same message, or a function that makes the text
	 * of an answer. The task is done then, and its outcome keeps the error. It is not asked where the task failed with a ConfigurationError: that
	 * is a mistake in the program, and fails the task. Where it fails itself, the task fails with `code` `"fallback_failed"` (or with a
	 * ConfigurationError) and both errors in an AggregateError as the `cause`.
	 */
	readonly fallback?: Delegate | ((error: Error, flow: TaskFlow<Tasks>) => string | PromiseLike<string>) | undefined;
	/** Default: what the network says. */
	readonly onFailure?: FailurePolicy | undefined;
}

/** A task in a table of tasks. */
export interface TaskDefinition<Tasks extends string = string, Groups extends string = never, Activated extends string = string>
	extends TaskOptions<Tasks, Groups, Activated> {
	readonly robot: Delegate;
}
