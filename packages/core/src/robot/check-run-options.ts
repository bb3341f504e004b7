import { ConfigurationError } from "../errors/configuration-error.js";
import { cascade } from "../options/cascade.js";
import { checkNames, isSignal } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import type { DelegateOptions } from "./delegation-future.js";
import type { RunOptions, StreamOptions } from "./run-options.js";

const RUN: Readonly<Record<keyof RunOptions, true>> = {
	signal: true,
	with: true,
	memory: true,
	hooks: true,
	onContent: true,
	parent: true,
	tools: true,
	mcp: true,
	inherited: true,
	context: true,
	schema: true,
};
const STREAM: Readonly<Record<Exclude<keyof StreamOptions, keyof RunOptions>, true>> = {
	overflow: true,
	capacity: true,
	maxWaitingCharacters: true,
	history: true,
};
const DELEGATE: Readonly<Record<Exclude<keyof DelegateOptions, keyof RunOptions>, true>> = { timeoutMs: true };

const NAMES: Readonly<Record<"run" | "stream" | "delegate", readonly string[]>> = {
	run: Object.keys(RUN),
	stream: [...Object.keys(RUN), ...Object.keys(STREAM)],
	delegate: [...Object.keys(RUN), ...Object.keys(DELEGATE)],
};

/** Throws ConfigurationError for what cannot be run, before anything of it is published. */
export function checkRunOptions(method: keyof typeof NAMES, message: unknown, options: RunOptions): void {
	if (typeof message !== "string" || message.trim() === "") {
		const got = typeof message === "string" ? "an empty one" : typeof message;
		throw new ConfigurationError(`${method}() needs a message of text, got ${got}.`);
	}
	checkNames(`${method}()`, options, NAMES[method]);
	const { signal, parent, onContent, inherited } = options;
	if (signal !== undefined && !isSignal(signal)) {
		throw new ConfigurationError(`${method}() needs an AbortSignal as signal, got ${describeValue(signal)}.`);
	}
	if (onContent !== undefined && typeof onContent !== "function") {
		throw new ConfigurationError(`${method}() needs a function as onContent, got ${describeValue(onContent)}.`);
	}
	for (const setting of ["tools", "mcp"] as const) {
		const run = options[setting];
		if (run !== undefined || inherited !== undefined) {
			cascade(setting, { run, task: inherited?.task?.[setting], network: inherited?.network?.[setting] });
		}
	}
	if (method === "stream" && parent !== undefined) {
		throw new ConfigurationError(
			"stream() takes no parent: its log is that of a root run. Use run() beneath another run, and read the log of that one.",
		);
	}
}
