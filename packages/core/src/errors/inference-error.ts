import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

export interface InferenceErrorOptions extends RobotLabErrorOptions {
	/** Default `"inference"`. */
	readonly code?: string;
	/** Default 1. */
	readonly attempts?: number | undefined;
	readonly statusCode?: number | undefined;
	/** Default false. */
	readonly isRetryable?: boolean | undefined;
}

/** A language model could not be reached or answered with an error, after the retries the run was allowed. */
export class InferenceError extends RobotLabError {
	static override readonly typeName: string = "InferenceError";

	/** How often the model was asked, from 1. */
	readonly attempts: number;
	/** The HTTP status the provider answered with, where there was an answer. */
	readonly statusCode: number | undefined;
	/** Whether the same request may succeed later: the server is busy, or could not be reached. */
	readonly isRetryable: boolean;

	constructor(message: string, options: InferenceErrorOptions = {}) {
		super(options.code ?? "inference", message, options);
		this.attempts = options.attempts ?? 1;
		this.statusCode = options.statusCode;
		this.isRetryable = options.isRetryable ?? false;
	}
}
