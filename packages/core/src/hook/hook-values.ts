import { ConfigurationError } from "../errors/configuration-error.js";
import { historyOf } from "../history/history-of.js";
import type { Message } from "../message/message.js";
import { resultIn } from "../message/result-in.js";
import type { RobotResult } from "../message/robot-result.js";
import { STOP_REASONS } from "../message/stop-reason.js";
import { describeValue, isList } from "../text/describe-value.js";
import { outcomeIn } from "../tool/tool-outcome.js";
import { freezeWhole } from "../value/freeze-whole.js";
import { frozenCopy } from "../value/frozen-copy.js";
import type { HookFacts, HookFamily, HookResult } from "./hook-facts.js";

/** Reads what a hook set or answered with. Throws ConfigurationError that begins with `what` where it cannot be used. */
export type ReadValue = (value: unknown, what: string) => unknown;

type FactNames<Family extends HookFamily> = Extract<keyof HookFacts[Family], string>;

/** What hooks may set before something is done. */
export const SETTABLE: { readonly [Family in HookFamily]: Readonly<Partial<Record<FactNames<Family>, ReadValue>>> } = {
	run: { message: text },
	llmGeneration: { message: text },
	toolCall: { args: anything },
	networkRun: { input: anything },
	task: { input: anything },
	learn: { text },
	compaction: { compactedMessages: (value, what) => (value === undefined ? undefined : messages(value, what)) },
};

/** What hooks may answer with, and set as the result: frozen, for what is changed in place is checked by nobody. */
export const RESULTS: Readonly<Record<HookFamily, ReadValue>> = {
	run: robotResult,
	llmGeneration: (value, what) => {
		const { text: said, stopReason, usage } = fields(value);
		const isOne =
			typeof said === "string" && STOP_REASONS.some((reason) => reason === stopReason) && typeof usage === "object" && usage !== null;
		if (!isOne) throw refused(what, "{ text, stopReason, usage }", value);
		return Object.freeze({ text: said, stopReason, usage: frozenCopy(usage) });
	},
	toolCall: (value, what) => {
		const outcome = typeof fields(value).isError === "boolean" ? outcomeIn(value) : undefined;
		if (outcome === undefined) throw refused(what, "{ text, isError }", value);
		return outcome;
	},
	networkRun: something,
	task: something,
	learn: (value, what) => {
		if (!isList(value) || !value.every((entry) => typeof entry === "string")) throw refused(what, "a list of texts", value);
		return Object.freeze([...value]);
	},
	compaction: messages,
};

/** Freezes what something came to by itself, as hooks are shown it: all but the very error that a tool raises. It stays the very same. */
export function freezeResult<Family extends HookFamily>(family: Family, result: HookResult<Family>): void {
	if (family === "llmGeneration" || family === "learn" || family === "compaction") freezeWhole(result);
	if (family !== "toolCall") return;
	const { raised, script } = Object.freeze(result as HookResult<"toolCall">);
	Object.freeze(raised);
	freezeWhole(script);
}

/** Freezes the lists that hooks are told of. They were made for them. */
export function freezeLists(facts: object): void {
	for (const name of ["messages", "tools", "learnings"]) freezeWhole(Reflect.get(facts, name));
}

function text(value: unknown, what: string): unknown {
	if (typeof value !== "string" || value.trim() === "") throw refused(what, "a text that is not blank", value);
	return value;
}

function anything(value: unknown): unknown {
	return value;
}

function something(value: unknown, what: string): unknown {
	if (value === undefined) throw refused(what, "what next() gives, or something in its place", value);
	return value;
}

function robotResult(value: unknown, what: string): RobotResult {
	const result = told(what, () => resultIn(value));
	if (result === undefined) throw refused(what, "a RobotResult", value);
	return result;
}

function messages(value: unknown, what: string): unknown {
	// one by one: as one copy a long history would be too much
	const copies = isList(value) ? Object.freeze(Array.from(value, (message) => frozenCopy(message))) : value;
	told(what, () => historyOf(copies as readonly Message[]));
	return copies;
}

/** Says whose value it was that could not be read. */
function told<T>(what: string, read: () => T): T {
	try {
		return read();
	} catch (cause) {
		if (!ConfigurationError.isInstance(cause)) throw cause;
		throw new ConfigurationError(`${what} cannot be used. ${cause.message}`, { cause });
	}
}

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const refused = (what: string, expected: string, value: unknown): ConfigurationError =>
	new ConfigurationError(`${what} must be ${expected}, got ${describeValue(value)}.`);
