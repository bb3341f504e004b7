import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";

/** Throws ConfigurationError where options are none, or one has a name that is unknown: a mistyped deadline is none, and waits for ever. */
export function checkNames(what: string, options: object, known: readonly string[]): void {
	if (typeof options !== "object" || options === null)
		throw new ConfigurationError(`${what} takes options, got ${describeValue(options)}.`);
	const unknown = Object.keys(options).find((name) => !known.includes(name));
	if (unknown === undefined) return;
	throw new ConfigurationError(
		`${what} knows no option ${describeValue(unknown)}.${didYouMean(unknown, known)} It knows ${known.join(", ")}.`,
	);
}

/** Throws ConfigurationError for a number of milliseconds that cannot be waited for. @param owner What it is for, e.g. `the task "a"`. */
export function checkTimeout(timeoutMs: number | undefined, owner?: string): void {
	if (timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs >= 0 && timeoutMs <= MAX_TIMEOUT_MS)) return;
	const given = `${describeValue(timeoutMs)}${owner === undefined ? "" : ` for ${owner}`}`;
	throw new ConfigurationError(`timeoutMs must be from 0 to ${MAX_TIMEOUT_MS}, got ${given}. Left out, there is no deadline.`);
}

/** The same for one that must be given, of `least` or more. */
export function checkMs(name: string, ms: number, least: 0 | 1): void {
	if (typeof ms === "number" && ms >= least && ms <= MAX_TIMEOUT_MS) return;
	throw new ConfigurationError(`${name} must be a number of milliseconds from ${least} to ${MAX_TIMEOUT_MS}, got ${describeValue(ms)}.`);
}

/** Throws ConfigurationError for a signal that is none. @param what Takes it, e.g. `"run()"`. */
export function checkSignal(what: string, signal: unknown): asserts signal is AbortSignal | undefined {
	if (signal === undefined || isSignal(signal)) return;
	throw new ConfigurationError(`${what} needs an AbortSignal as signal, got ${describeValue(signal)}.`);
}

/** By shape, as far as it is used: a signal may come from another realm. */
export function isSignal(value: unknown): value is AbortSignal {
	const { aborted, addEventListener, removeEventListener } = (value ?? {}) as Readonly<Record<string, unknown>>;
	return typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function";
}
