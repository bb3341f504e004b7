import type { Worker } from "node:worker_threads";
import { ConfigurationError } from "../errors/configuration-error.js";
import { RobotResult } from "../message/robot-result.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";
import { AttemptsByKey } from "../network/attempts-by-key.js";
import type { LocalTask, TaskRequest, TaskRunner } from "../network/task-runner.js";
import { checkNames } from "../options/check-options.js";
import { anySignal } from "../process/any-signal.js";
import { checkRunOptions } from "../robot/check-run-options.js";
import type { Delegate } from "../robot/delegation-future.js";
import type { RunOptions } from "../robot/run-options.js";
import { describeValue } from "../text/describe-value.js";
import { crossingRun, crossingTask } from "./task-crossing.js";
import { TaskLinks } from "./task-links.js";
import type { ThreadPort } from "./thread-port.js";

/** What a {@link ThreadTaskRunner} takes. */
export interface ThreadTaskRunnerOptions {
	/**
	 * Where the robots are, which are there for others by `serveTasks()`: a worker that runs, or a port to it, which stay their owner's. Or what a
	 * worker is made of, the address of its file or a function that starts one: it is started when there is work for it, a new one in the place of one that has ended,
	 * and ended with this runner. It keeps the process alive only while something runs in it.
	 */
	readonly worker: ThreadPort | URL | (() => Worker);
	/** How many workers are started at most, where they are started here. A new one where all that there are have work. Default 1. */
	readonly size?: number;
}

/**
 * Runs tasks of networks in worker threads: those whose robot is `runner.robot(name)`, by the robot that is served there by that name. Robots of this thread
 * run in it, in the same network. What goes on there is told in the network's log.
 *
 * Robots there have their own memory, hooks, configuration and tools: what a task and its functions do with the network's memory stays in this thread. A
 * task with a memory of its own, and a network with hooks for what robots do, are refused with a ConfigurationError when the task is to be run. An
 * attempt whose thread ends before it fails with TaskRunnerError `worker_lost`, and may be tried again.
 */
export class ThreadTaskRunner implements TaskRunner {
	readonly specificationVersion = "v1";
	readonly name: string = "worker-threads";
	readonly #links: TaskLinks;
	readonly #attempts = new AttemptsByKey<RobotResult | RobotResultRecord>();
	/** What stands for robots there. */
	readonly #standIns = new WeakSet<Delegate>();

	/** Throws ConfigurationError for options that are none. */
	constructor(options: ThreadTaskRunnerOptions) {
		this.#links = new TaskLinks(checked(options));
	}

	run(request: TaskRequest, local: LocalTask): Promise<RobotResult | RobotResultRecord> {
		const { signal, parent } = local.options;
		return this.#attempts.once(request.key, signal, async () => {
			const { robot, message } = request;
			if (!this.#standIns.has(local.robot)) return local.robot.run(message, local.options);
			const options = crossingTask(request, local);
			return (await this.#links.take().run({ robot, message, options, parent, signal })) as RobotResultRecord;
		});
	}

	/**
	 * Stands for a robot there: in a network's task, or to be handed work with `robot.delegate()`. Its runs take `signal`, `parent`, `context`, `tools` and
	 * `mcp`, and reject with ConfigurationError for the other options, which cannot be given to another thread.
	 */
	robot(name: string): Delegate {
		if (typeof name !== "string") throw new ConfigurationError(`runner.robot() takes the name of a robot, got ${describeValue(name)}.`);
		const standIn: Delegate = { name, run: (message, options = {}) => this.#run(name, message, options) };
		this.#standIns.add(standIn);
		return standIn;
	}

	/** Ends the workers that were started here, and leaves the others. What runs is stopped and fails with TaskRunnerError `closed`, and so does what is asked later. Harmless when done twice. */
	async close(): Promise<void> {
		await this.#links.close();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	async #run(robot: string, message: string, options: RunOptions): Promise<RobotResult> {
		checkRunOptions("run", message, options);
		const crossing = crossingRun(robot, options);
		const { parent } = options;
		const signal = anySignal(options.signal, parent?.signal);
		return RobotResult.fromJSON(await this.#links.take().run({ robot, message, options: crossing, parent, signal }));
	}
}

function checked(options: ThreadTaskRunnerOptions): Required<ThreadTaskRunnerOptions> {
	const what = "new ThreadTaskRunner()";
	checkNames(what, options, ["worker", "size"]);
	const { worker, size = 1 } = options;
	const isStarted = worker instanceof URL || typeof worker === "function";
	if (!isStarted && typeof (worker as ThreadPort | undefined)?.postMessage !== "function") {
		throw new ConfigurationError(
			`${what} needs a Worker, a MessagePort, the URL of a worker's file or a function that starts a worker as worker, got ${describeValue(worker)}.`,
		);
	}
	if (!Number.isSafeInteger(size) || size < 1)
		throw new ConfigurationError(`${what} needs a whole number from 1 as size, got ${describeValue(size)}.`);
	if (!isStarted && options.size !== undefined)
		throw new ConfigurationError(`${what} takes a size only where it starts the workers itself: give it a URL.`);
	return { worker, size };
}
