import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/**
 * Why a runner of tasks did not bring an attempt to its end:
 *
 * - `worker_lost`: where the robot ran is gone, or serves nothing any longer. The robot may have done a part of its work. The only one after which a task
 *   with `retries` is tried again.
 * - `bad_message`: the runner and whoever has the robots do not understand each other: what one says is wrong, or of another version.
 * - `closed`: the runner was closed, before or while the attempt ran.
 */
export type TaskRunnerErrorCode = "worker_lost" | "bad_message" | "closed";

/** A runner of tasks could not run one to its end. What robots fail with is no such error: it comes through as it is. */
export class TaskRunnerError extends RobotLabError {
	static override readonly typeName: string = "TaskRunnerError";
	declare readonly code: TaskRunnerErrorCode;

	constructor(code: TaskRunnerErrorCode, message: string, options: RobotLabErrorOptions = {}) {
		super(code, message, options);
	}
}
