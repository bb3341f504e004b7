import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** Throws ConfigurationError for what is no share of a whole, 0 to 1. */
export function checkShare(name: string, value: unknown): void {
	if (typeof value === "number" && value >= 0 && value <= 1) return;
	throw new ConfigurationError(`${name} must be a number from 0 to 1, got ${describeValue(value)}.`);
}

/** Throws ConfigurationError for what is no whole number of `least` or more. */
export function checkCount(name: string, value: unknown, least: 0 | 1): void {
	if (Number.isSafeInteger(value) && (value as number) >= least) return;
	throw new ConfigurationError(`${name} must be a whole number of ${least} or more, got ${describeValue(value)}.`);
}
