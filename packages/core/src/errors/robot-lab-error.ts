/** What every error of Robot Lab carries. */
export interface RobotLabErrorOptions {
	/** The error that led to this one. */
	readonly cause?: unknown;
}

const brandOf = (typeName: string): symbol => Symbol.for(`@robot-lab/core/errors/${typeName}`);

/**
 * The class all errors of Robot Lab extend.
 *
 * Identity is a registered symbol instead of `instanceof`, so that an error made by one copy of the package is
 * recognised by another: two copies meet as soon as a bundler or a second version is involved.
 */
export class RobotLabError extends Error {
	/** The class's name, written out because a minifier renames classes. */
	static readonly typeName: string = "RobotLabError";

	/** A stable, machine-readable word for what went wrong, e.g. `"configuration"`. */
	readonly code: string;

	constructor(code: string, message: string, options: RobotLabErrorOptions = {}) {
		super(message, "cause" in options ? { cause: options.cause } : undefined);
		this.code = code;
		this.name = new.target.typeName;
		for (let type: typeof RobotLabError = new.target; type.typeName !== undefined; type = Object.getPrototypeOf(type)) {
			Object.defineProperty(this, brandOf(type.typeName), { value: true });
		}
	}

	/** Whether `value` is an error of the class this is called on, from any copy of the package. */
	static isInstance<T extends { readonly typeName: string; readonly prototype: unknown }>(
		this: T,
		value: unknown,
	): value is T["prototype"] {
		try {
			// biome-ignore lint/complexity/noThisInStatic: a subclass asks about itself
			return typeof value === "object" && value !== null && brandOf(this.typeName) in value;
		} catch {
			// anything may be thrown, as a revoked proxy, which cannot even be asked
			return false;
		}
	}
}
