/** What every error of Robot Lab carries. */
export interface RobotLabErrorOptions {
	/** The error that led to this one. */
	readonly cause?: unknown;
}

const brandOf = (name: string): symbol => Symbol.for(`@robot-lab/core/errors/${name}`);

/**
 * The class all errors of Robot Lab extend.
 *
 * Identity is a registered symbol instead of `instanceof`, so that an error made by one copy of the package is
 * recognised by another: two copies meet as soon as a bundler or a second version is involved.
 */
export class RobotLabError extends Error {
	/** A stable, machine-readable word for what went wrong, e.g. `"configuration"`. */
	readonly code: string;

	constructor(code: string, message: string, options: RobotLabErrorOptions = {}) {
		super(message, "cause" in options ? { cause: options.cause } : undefined);
		this.code = code;
		this.name = new.target.name;
		for (let type: unknown = new.target; typeof type === "function" && type !== Error; type = Object.getPrototypeOf(type)) {
			Object.defineProperty(this, brandOf((type as { name: string }).name), { value: true });
		}
	}

	/** Whether `value` is an error of the class this is called on, from any copy of the package. */
	static isInstance<T extends abstract new (...args: never[]) => unknown>(this: T, value: unknown): value is InstanceType<T> {
		return typeof value === "object" && value !== null && brandOf(this.name) in value;
	}
}
