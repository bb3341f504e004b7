import { ConfigurationError } from "./configuration-error.js";
import type { RobotLabErrorOptions } from "./robot-lab-error.js";

/** A package or program that the user has to install is missing. */
export class DependencyError extends ConfigurationError {
	static override readonly typeName: string = "DependencyError";

	/** What is missing, as it is installed: a package name or a program name. */
	readonly dependency: string;

	constructor(dependency: string, message: string, options: RobotLabErrorOptions = {}) {
		super(message, { ...options, code: "dependency" });
		this.dependency = dependency;
	}
}
