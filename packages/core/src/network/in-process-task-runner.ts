import type { RobotResult } from "../message/robot-result.js";
import { AttemptsByKey } from "./attempts-by-key.js";
import type { LocalTask, TaskRequest, TaskRunner } from "./task-runner.js";

/** Runs tasks where their network runs, as a network does that is given no runner. For runners of yours, which keep some tasks here. */
export class InProcessTaskRunner implements TaskRunner {
	readonly specificationVersion = "v1";
	readonly name: string = "in-process";
	readonly #attempts = new AttemptsByKey<RobotResult>();

	run({ key, message }: TaskRequest, { robot, options }: LocalTask): Promise<RobotResult> {
		return this.#attempts.once(key, options.signal, () => robot.run(message, options));
	}
}
