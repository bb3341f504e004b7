import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/** Confinement was asked for and cannot be given; nothing was run. */
export class SandboxUnavailableError extends RobotLabError {
	static override readonly typeName: string = "SandboxUnavailableError";

	constructor(code: string, message: string, options: RobotLabErrorOptions = {}) {
		super(code, message, options);
	}
}
