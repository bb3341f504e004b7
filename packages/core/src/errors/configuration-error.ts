import { RobotLabError, type RobotLabErrorOptions } from "./robot-lab-error.js";

/** Something a person wrote (an option, a file, a name) cannot be used as it is. `cause` is a parser's own error where there was one. */
export class ConfigurationError extends RobotLabError {
	static override readonly typeName: string = "ConfigurationError";

	constructor(message: string, options: RobotLabErrorOptions & { readonly code?: string } = {}) {
		super(options.code ?? "configuration", message, options);
	}
}
