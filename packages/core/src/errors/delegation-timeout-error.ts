import { RobotLabError } from "./robot-lab-error.js";

/** A robot to which work was handed on did not come to an end in time, and was stopped. `code`: `"delegation_timeout"`. */
export class DelegationTimeoutError extends RobotLabError {
	static override readonly typeName: string = "DelegationTimeoutError";

	/** The robot that was to do the work. */
	readonly robotName: string;
	/** How long it was waited for. */
	readonly timeoutMs: number;

	constructor(robotName: string, timeoutMs: number) {
		super(
			"delegation_timeout",
			`The robot "${robotName}" did not come to an end within ${timeoutMs} ms and was stopped. Give it longer: timeoutMs.`,
		);
		this.robotName = robotName;
		this.timeoutMs = timeoutMs;
	}
}
