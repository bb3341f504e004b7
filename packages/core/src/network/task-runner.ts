import type { Json } from "../json/json-values.js";
import type { RobotResult } from "../message/robot-result.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";
import type { Delegate } from "../robot/delegation-future.js";
import type { Inherited, RunOptions } from "../robot/run-options.js";
import type { OpenRun } from "../stream/open-run.js";

/**
 * Runs the attempts of a network's tasks, in this process or elsewhere. `describeTaskRunner` of `@robot-lab/core/testing` is its test.
 */
export interface TaskRunner {
	readonly specificationVersion: "v1";
	/** What it is, for errors and people. */
	readonly name: string;
	/**
	 * Comes to what the task's robot comes to, whatever that is: the network looks at it. Rejects with what the robot fails with, so that errors of
	 * Robot Lab are still told apart by `isInstance`, and with TaskRunnerError where it is the runner that cannot go on. What goes on in the robot's
	 * run is told beneath `local.options.parent`. What the attempt is given here, and cannot be given to the robot where it runs, is refused with a
	 * ConfigurationError and not left out.
	 *
	 * Idempotent: a key is run once. Who asks for it again while it runs waits for that run, and leaves it alone when his own signal is aborted. Who asks
	 * again after its end is told the same, a failure as well as a result (to try again is another attempt, with another key), as long as it is
	 * remembered: at least the last 100 that ended are.
	 *
	 * @param request Can be written as JSON. Reading `context` throws ConfigurationError where that is not so.
	 * @param local What is in this process alone.
	 */
	run(request: TaskRequest, local: LocalTask): Promise<RobotResult | RobotResultRecord>;
}

/** One attempt of a task. */
export interface TaskRequest {
	/** Which attempt of which task in which run: the same for the same, and never another's. */
	readonly key: string;
	readonly network: string;
	readonly task: string;
	/** The name of the robot that is asked: the task's, or its fallback. */
	readonly robot: string;
	readonly message: string;
	/** Values for the parameters of the robot's template. */
	readonly context?: Readonly<Record<string, Json>>;
	/** What the task and its network say of the robot's run, and what counts less than what the robot says itself. */
	readonly inherited: Pick<Inherited, "task" | "network">;
}

/** What an attempt has in the process of its network. */
export interface LocalTask {
	readonly robot: Delegate;
	/** All that `robot.run()` takes. What the request holds is in here, too, as it was given. */
	readonly options: LocalTaskOptions;
	/** Whether the memory of the options is one that the task was given for itself, and not the one that its network shares. */
	readonly hasOwnMemory: boolean;
}

export interface LocalTaskOptions extends RunOptions {
	/** Aborted when the attempt is to end: its time is up, or the network's run ends. */
	readonly signal: AbortSignal;
	/** The task's run in the log. */
	readonly parent: OpenRun;
}
