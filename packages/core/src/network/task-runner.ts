import type { Json } from "../json/json-values.js";
import type { RobotResult } from "../message/robot-result.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";
import type { Delegate } from "../robot/delegation-future.js";
import type { RunOptions } from "../robot/run-options.js";

/**
 * Runs the attempts of a network's tasks, in this process or elsewhere. `describeTaskRunner` of `@robot-lab/core/testing` is its test.
 */
export interface TaskRunner {
	readonly specificationVersion: "v1";
	/** What it is, for errors and people. */
	readonly name: string;
	/**
	 * Comes to what the task's robot comes to, or rejects with what it fails with. Idempotent: a key that is asked for again, while it runs or soon after,
	 * comes to the same and runs nothing again.
	 *
	 * @param request Can be written as JSON.
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
}

/** What an attempt has in the process of its network. */
export interface LocalTask {
	readonly robot: Delegate;
	/** For `robot.run()`: the task's run in the log as `parent`, its memory, what it inherits. Without signal: that is below. */
	readonly options: RunOptions;
	/** Aborted when the attempt is to end: its time is up, or the network's run ends. */
	readonly signal: AbortSignal;
}
