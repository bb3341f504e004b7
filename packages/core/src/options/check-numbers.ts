import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** Throws ConfigurationError for what is no number, or has no end. */
export function checkFinite(name: string, value: unknown): void {
	if (!Number.isFinite(value)) throw mustBe(name, "a number", value);
}

/** Throws ConfigurationError for what is no share of a whole, 0 to 1. */
export function checkShare(name: string, value: unknown): void {
	if (!(isNumber(value) && value >= 0 && value <= 1)) throw mustBe(name, "a number from 0 to 1", value);
}

/** The same where 0 would be nothing at all. */
export function checkShareAboveZero(name: string, value: unknown): void {
	if (!(isNumber(value) && value > 0 && value <= 1)) throw mustBe(name, "a number above 0 and at most 1", value);
}

/** Throws ConfigurationError for what is no whole number. */
export function checkWhole(name: string, value: unknown): void {
	if (!Number.isSafeInteger(value)) throw mustBe(name, "a whole number", value);
}

/** Throws ConfigurationError for what is no whole number of `least` or more. */
export function checkCount(name: string, value: unknown, least: 0 | 1): void {
	if (!(Number.isSafeInteger(value) && (value as number) >= least)) throw mustBe(name, `a whole number of ${least} or more`, value);
}

const isNumber = (value: unknown): value is number => typeof value === "number";

const mustBe = (name: string, rule: string, value: unknown): ConfigurationError =>
	new ConfigurationError(`${name} must be ${rule}, got ${describeValue(value)}.`);
