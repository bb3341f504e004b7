import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import type { RetryOptions } from "../run/retry.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import type { RobotSettings } from "./robot-settings.js";

// records, so that one that is forgotten, or no longer there, does not compile
const REASONING: Readonly<Record<NonNullable<RobotSettings["reasoning"]>, true>> = {
	"provider-default": true,
	none: true,
	minimal: true,
	low: true,
	medium: true,
	high: true,
	xhigh: true,
	max: true,
};
const RETRIES: Readonly<Record<keyof RetryOptions, true>> = {
	maxRetries: true,
	baseDelayMs: true,
	maxDelayMs: true,
	maxRetryAfterMs: true,
	sleep: true,
	random: true,
};

/**
 * Throws ConfigurationError for settings that are of another kind than they should be. What is a number is looked at where it is used.
 *
 * @param where Begins the message about a name nobody knows, e.g. `new Robot()`.
 */
export function checkSettings(where: string, settings: RobotSettings): void {
	for (const name of ["onContent", "onToolCall", "onToolResult"] as const) checkKind(name, settings[name], "function");
	checkStop(settings.stop);
	checkReasoning(settings.reasoning);
	checkHeaders(settings.headers);
	const { providerOptions } = settings;
	if (providerOptions !== undefined && !isRecord(providerOptions)) {
		throw new ConfigurationError(`providerOptions must be options by their provider, got ${describeValue(providerOptions)}.`);
	}
	checkKind("mcpDiscovery", settings.mcpDiscovery, "boolean");
	checkRetries(where, settings.retries);
}

export function checkKind(name: string, value: unknown, kind: "string" | "function" | "boolean"): void {
	if (value === undefined || typeof value === kind) return;
	throw new ConfigurationError(`A robot's ${name} must be a ${kind}, got ${describeValue(value)}.`);
}

function checkStop(stop: unknown): void {
	if (stop === undefined || (Array.isArray(stop) && stop.every((text) => typeof text === "string"))) return;
	const hint = typeof stop === "string" ? ` For one write stop: [${JSON.stringify(stop)}].` : "";
	throw new ConfigurationError(`stop must be a list of texts, got ${describeValue(stop)}.${hint}`);
}

function checkReasoning(reasoning: unknown): void {
	if (reasoning === undefined || (typeof reasoning === "string" && Object.hasOwn(REASONING, reasoning))) return;
	throw new ConfigurationError(`reasoning must be one of ${Object.keys(REASONING).join(", ")}, got ${describeValue(reasoning)}.`);
}

function checkHeaders(headers: unknown): void {
	const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
	if (headers === undefined || (isRecord(headers) && Object.values(headers).every(isText))) return;
	// the values are not for a message: most are keys
	throw new ConfigurationError('headers must be texts by their names: headers: { "x-team": "a" }.');
}

function checkRetries(where: string, retries: unknown): void {
	if (retries === undefined || typeof retries === "number") return;
	if (!isRecord(retries)) throw new ConfigurationError(`retries must be a number or { maxRetries, … }, got ${describeValue(retries)}.`);
	checkNames(`${where}, retries,`, retries, Object.keys(RETRIES));
	const { sleep, random } = retries as RetryOptions;
	checkKind("retries.sleep", sleep, "function");
	checkKind("retries.random", random, "function");
}
