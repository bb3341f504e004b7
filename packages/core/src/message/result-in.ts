import { RobotResult } from "./robot-result.js";

/**
 * The result that a value is. One of another copy of this package is read as its record is, which throws ConfigurationError where that is wrong.
 * `undefined`: it is none.
 */
export function resultIn(value: unknown): RobotResult | undefined {
	if (value instanceof RobotResult) return value;
	const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown };
	return typeof toJSON === "function" ? RobotResult.fromJSON(toJSON.call(value)) : undefined;
}
