import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/** A language model could not be reached or answered with an error, after the retries the run was allowed. */
export class InferenceError extends RobotLabError {
	static override readonly typeName: string = "InferenceError";

	constructor(message: string, options: RobotLabErrorOptions & { readonly code?: string } = {}) {
		super(options.code ?? "inference", message, options);
	}
}
