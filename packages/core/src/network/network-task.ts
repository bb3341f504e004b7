import { ConfigurationError } from "../errors/configuration-error.js";
import { Memory } from "../memory/memory.js";
import { checkNames, checkTimeout } from "../options/check-options.js";
import { type Delegate, isDelegate } from "../robot/delegation-future.js";
import { type RetryPolicy, retryPolicy } from "../run/retry.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import { selectionFlaw } from "../value/selection.js";
import type { FailurePolicy, TaskOptions } from "./task-options.js";

/** A task with everything checked that can be checked before it runs. */
export interface NetworkTask {
	readonly name: string;
	readonly robot: Delegate;
	readonly options: TaskOptions<string, string>;
	/** `undefined`: it is tried once. */
	readonly retry: RetryPolicy | undefined;
}

// a record, so that one that is forgotten, or no longer there, does not compile
const OPTIONS: Readonly<Record<keyof TaskOptions, true>> = {
	dependsOn: true,
	input: true,
	context: true,
	tools: true,
	mcp: true,
	memory: true,
	next: true,
	activates: true,
	timeoutMs: true,
	retries: true,
	fallback: true,
	onFailure: true,
};
const OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);
const RETRY_NAMES: readonly string[] = ["maxRetries", "baseDelayMs", "maxDelayMs", "maxRetryAfterMs", "sleep", "random"];

/** Throws ConfigurationError for a robot or an option that is none. Its name and what it depends on are the graph's to check. */
export function networkTask(name: string, robot: Delegate, options: TaskOptions<string, string>): NetworkTask {
	const what = `The task ${describeValue(name)}`;
	if (!isDelegate(robot)) throw new ConfigurationError(`${what} needs a robot, got ${describeValue(robot)}.`);
	checkNames(what, options, OPTION_NAMES);
	const { dependsOn = "none", input, next, activates, context, memory, tools, mcp, fallback, timeoutMs, retries, onFailure } = options;
	check(what, "dependsOn", dependsOn === "optional" || waitsFor(dependsOn), `"none", "optional" or ${LIST_OF_NAMES}`, dependsOn);
	check(what, "input", input === undefined || typeof input === "function", "a function", input);
	check(what, "next", next === undefined || typeof next === "function", "a function", next);
	check(what, "activates", activates === undefined || isNames(activates), "a list of the names of tasks", activates);
	check(what, "next", activates === undefined || next !== undefined, "a function that activates them, beside activates,", next);
	check(what, "context", context === undefined || typeof context === "function" || isRecord(context), "a record or a function", context);
	check(what, "memory", memory === undefined || memory instanceof Memory, "a Memory", memory);
	check(
		what,
		"fallback",
		fallback === undefined || typeof fallback === "function" || isDelegate(fallback),
		"a robot or a function",
		fallback,
	);
	checkSelections(what, options);
	checkFailurePolicy(what, onFailure);
	checkTimeout(timeoutMs, `the task ${describeValue(name)}`);
	return {
		name,
		robot,
		options: Object.freeze({
			...options,
			...(activates !== undefined && { activates: Object.freeze([...new Set(activates)]) }),
			...(tools !== undefined && { tools: frozenCopy(tools) }),
			...(mcp !== undefined && { mcp: frozenCopy(mcp) }),
		}),
		retry: retriesOf(what, retries),
	};
}

/** Throws ConfigurationError for what says of no group when its tasks start. */
export function checkGroupStart(name: unknown, dependsOn: unknown): void {
	check(`The group ${describeValue(name)}`, "dependsOn", waitsFor(dependsOn), `"none" or ${LIST_OF_NAMES}`, dependsOn);
}

const LIST_OF_NAMES = "a list of the names of tasks and groups";

const waitsFor = (dependsOn: unknown): boolean => dependsOn === "none" || Array.isArray(dependsOn);

export function checkFailurePolicy(what: string, onFailure: FailurePolicy | undefined): void {
	check(
		what,
		"onFailure",
		onFailure === undefined || onFailure === "fail-fast" || onFailure === "settle",
		'"fail-fast" or "settle"',
		onFailure,
	);
}

/** Throws ConfigurationError for tools or MCP servers that are chosen by what is no choice. */
export function checkSelections(what: string, options: { readonly tools?: unknown; readonly mcp?: unknown }): void {
	for (const option of ["tools", "mcp"] as const) {
		const flaw = options[option] === undefined ? undefined : selectionFlaw(options[option]);
		if (flaw === undefined) continue;
		const needed = typeof flaw === "string" ? flaw : `a list that holds only ${flaw.holds}`;
		check(what, option, false, needed, typeof flaw === "string" ? options[option] : flaw.entry);
	}
}

const isNames = (names: unknown): boolean => Array.isArray(names) && names.every((name) => typeof name === "string");

function retriesOf(what: string, retries: TaskOptions["retries"]): RetryPolicy | undefined {
	if (retries === undefined) return undefined;
	if (typeof retries !== "number") checkNames(`${what}, retries,`, retries, RETRY_NAMES);
	const policy = retryPolicy(retries);
	const { maxRetries, baseDelayMs, maxDelayMs } = policy;
	check(what, "retries", Number.isInteger(maxRetries) && maxRetries >= 0, "a whole number from 0", maxRetries);
	for (const [option, ms] of Object.entries({ baseDelayMs, maxDelayMs }))
		check(what, `retries.${option}`, ms >= 0 && ms <= MAX_TIMEOUT_MS, `a number from 0 to ${MAX_TIMEOUT_MS}`, ms);
	for (const option of ["sleep", "random"] as const)
		check(what, `retries.${option}`, typeof policy[option] === "function", "a function", policy[option]);
	return maxRetries === 0 ? undefined : policy;
}

function check(what: string, option: string, holds: boolean, needed: string, got: unknown): void {
	if (!holds) throw new ConfigurationError(`${what} needs ${needed} as ${option}, got ${describeValue(got)}.`);
}
