import { ConfigurationError } from "../errors/configuration-error.js";
import { checkHooks } from "../hook/check-hooks.js";
import { cascade } from "../options/cascade.js";
import { checkNames, checkSignal } from "../options/check-options.js";
import { answerForm } from "../run/answer-schema.js";
import { templateValues } from "../template/template-values.js";
import { describeValue } from "../text/describe-value.js";
import { checkAttachments } from "./attachments.js";
import type { DelegateOptions } from "./delegate-options.js";
import { checkRunMemory } from "./memory-for-run.js";
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
	skills: true,
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
	checkSignal(`${method}()`, signal);
	if (onContent !== undefined && typeof onContent !== "function") {
		throw new ConfigurationError(`${method}() needs a function as onContent, got ${describeValue(onContent)}.`);
	}
	for (const setting of ["tools", "mcp"] as const) {
		const run = options[setting];
		if (run !== undefined || inherited !== undefined) {
			cascade(setting, { run, task: inherited?.task?.[setting], network: inherited?.network?.[setting] });
		}
	}
	checkGiven(method, options);
	if (method === "stream" && parent !== undefined) {
		throw new ConfigurationError(
			"stream() takes no parent: its log is that of a root run. Use run() beneath another run, and read the log of that one.",
		);
	}
}

/** What can be told of the rest without a file, a template or a robot. */
function checkGiven(method: keyof typeof NAMES, { with: attached, memory, hooks, inherited, context, schema, skills }: RunOptions): void {
	if (attached !== undefined) checkAttachments(attached);
	if (memory !== undefined) checkRunMemory(memory);
	if (hooks !== undefined) checkHooks(`${method}(), hooks`, hooks);
	if (inherited?.hooks !== undefined) checkHooks(`${method}(), inherited.hooks`, inherited.hooks);
	if (context !== undefined) templateValues(context);
	if (schema !== undefined) answerForm(schema);
	if (skills !== undefined && !(Array.isArray(skills) && skills.every((name) => typeof name === "string"))) {
		throw new ConfigurationError(
			`${method}() needs names of skills as skills, got ${describeValue(skills)}. For one write skills: ["name"].`,
		);
	}
}
