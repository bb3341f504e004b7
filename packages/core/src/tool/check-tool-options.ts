import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import type { Tool } from "./tool.js";

/** What may be said of a tool besides what it is. */
export type ToolOptions = Pick<Tool, "timeoutMs" | "raiseOnError" | "strict" | "maxResultBytes">;

const MIN_RESULT_BYTES = 256;

/** The options that are given, in so far as they are. Throws ConfigurationError for one that cannot be used. */
export function toolOptions(tool: string, { timeoutMs, raiseOnError, strict, maxResultBytes }: ToolOptions): ToolOptions {
	const refuse = (problem: string): never => {
		throw new ConfigurationError(`Cannot create the tool "${tool}": ${problem}`);
	};
	if (!isAbsent(timeoutMs) && !(isNumber(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
		refuse(`timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}, got ${describeValue(timeoutMs)}. Left out, there is no deadline.`);
	}
	if (!isAbsent(maxResultBytes) && !(Number.isSafeInteger(maxResultBytes) && maxResultBytes >= MIN_RESULT_BYTES)) {
		refuse(`maxResultBytes must be a whole number from ${MIN_RESULT_BYTES}, got ${describeValue(maxResultBytes)}.`);
	}
	for (const [name, value] of Object.entries({ raiseOnError, strict })) {
		if (!isAbsent(value) && typeof value !== "boolean") refuse(`${name} must be true or false, got ${describeValue(value)}.`);
	}
	return {
		...(!isAbsent(timeoutMs) && { timeoutMs }),
		...(!isAbsent(raiseOnError) && { raiseOnError }),
		...(!isAbsent(strict) && { strict }),
		...(!isAbsent(maxResultBytes) && { maxResultBytes }),
	};
}

const isAbsent = (value: unknown): value is undefined => value === undefined;

const isNumber = (value: unknown): value is number => typeof value === "number";
