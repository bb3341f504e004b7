import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { ReaderOptions } from "./event-reader.js";

/** Throws ConfigurationError for what no reader can be made with. */
export function checkReader({ overflow = "coalesce", capacity = 1, maxWaitingCharacters = 1 }: ReaderOptions): void {
	checkWhole("capacity", capacity, 1);
	checkWhole("maxWaitingCharacters", maxWaitingCharacters, 1);
	if (["coalesce", "block", "error"].includes(overflow)) return;
	throw new ConfigurationError(`overflow must be "coalesce", "block" or "error", got ${describeValue(overflow)}.`);
}

/** Throws ConfigurationError where an option is no whole number, or less than `least`. */
export function checkWhole(name: string, value: number, least: number): void {
	if (Number.isSafeInteger(value) && value >= least) return;
	throw new ConfigurationError(`${name} must be a whole number of ${least} or more, got ${describeValue(value)}.`);
}
