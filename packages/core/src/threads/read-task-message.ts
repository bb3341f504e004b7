import type { PublishedEvent } from "../stream/stream-event.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { eventProblem } from "../transport/parse-event.js";
import { type Selection, selectionFlaw } from "../value/selection.js";
import { count, type Fields, field, flag, json, list, record, text, texts } from "./read-fields.js";
import type { CrossingOptions } from "./task-crossing.js";
import { type AbortRecord, type FailureRecord, MAX_CAUSES } from "./task-failure.js";
import { type AskingMessage, type OfRun, type ServingMessage, TASK_PROTOCOL_VERSION } from "./task-messages.js";

/** What says that it is about tasks, and is wrong. */
export interface TaskFlaw extends Partial<OfRun> {
	readonly kind: "flaw";
	readonly reason: string;
}

/** What the other side has said that has the robots. @property answer Has been read from its JSON, and nobody has looked at it. */
export type ServedMessage =
	| Exclude<ServingMessage, { readonly kind: "answer" }>
	| ({ readonly kind: "answer"; readonly answer: unknown } & OfRun);

type Readers<Message extends { readonly kind: string }> = {
	readonly [Kind in Message["kind"]]: (fields: Fields) => Omit<Extract<Message, { readonly kind: Kind }>, "kind" | keyof OfRun>;
};

const ASKING: Readers<AskingMessage> = {
	run: (fields) => ({
		robot: field(fields, "robot", text),
		message: field(fields, "message", text),
		options: field(fields, "options", options),
		isWatched: field(fields, "isWatched", flag),
		...(fields.abort !== undefined && { abort: field(fields, "abort", abort) }),
	}),
	abort: (fields) => ({ abort: field(fields, "abort", abort) }),
};

const SERVING: Readers<ServedMessage> = {
	event: (fields) => ({ event: field(fields, "event", event) }),
	answer: (fields) => ({ answer: field(fields, "json", parsed) }),
	failure: (fields) => ({ failure: field(fields, "failure", failure) }),
	ended: (fields) => ({ reason: field(fields, "reason", text) }),
};

/** They are the same in all versions. */
const OF_ALL_VERSIONS: ReadonlySet<string> = new Set(["failure", "ended"]);

/** What somebody has asked who has no robots; `undefined` where it is not about tasks, or no question. */
export const readAsked = (value: unknown): AskingMessage | TaskFlaw | undefined => read<AskingMessage>(ASKING, SERVING, value);

/** What somebody has said who has robots, to this link or to all; `undefined` where it is not about tasks, for another link, or a question. */
export const readServed = (value: unknown, link: string): ServedMessage | TaskFlaw | undefined =>
	read<ServedMessage>(SERVING, ASKING, value, link);

/**
 * @param readers Of what this side hears.
 * @param others Of what the other side of the same port hears: both may have robots for each other.
 */
function read<Message extends { readonly kind: string }>(
	readers: Readers<Message>,
	others: object,
	value: unknown,
	link?: string,
): Message | TaskFlaw | undefined {
	if (typeof value !== "object" || value === null || !Object.hasOwn(value, "robotLabTasks")) return undefined;
	const fields = value as Fields;
	const { robotLabTasks: version, kind } = fields;
	if (typeof kind === "string" && Object.hasOwn(others, kind)) return undefined;
	const of = runIn(fields);
	if (link !== undefined && of.link !== undefined && of.link !== link) return undefined;
	try {
		record(value);
		const known = text(kind);
		if (version !== TASK_PROTOCOL_VERSION && !OF_ALL_VERSIONS.has(known))
			throw new TypeError(`it is of version ${describeValue(version)}, and this side speaks ${TASK_PROTOCOL_VERSION}`);
		if (!Object.hasOwn(readers, known)) throw new TypeError(`kind: ${describeValue(known)} is unknown to this side`);
		const named = known === "ended" ? {} : { link: field(fields, "link", text), run: field(fields, "run", count) };
		return { kind: known, ...named, ...readers[known as Message["kind"]](fields) } as unknown as Message;
	} catch (error) {
		return { kind: "flaw", ...of, reason: messageOf(error) };
	}
}

/** Which run it names, as far as it names one. */
function runIn({ link, run }: Fields): Partial<OfRun> {
	return { ...(typeof link === "string" && { link }), ...(Number.isSafeInteger(run) && { run: run as number }) };
}

function options(value: unknown): CrossingOptions {
	const fields = record(value);
	const { context, inherited } = fields;
	return {
		...selections(fields),
		...(context !== undefined && { context: field(fields, "context", record) }),
		...(inherited !== undefined && { inherited: field(fields, "inherited", levels) }),
	};
}

/** Of {@link CrossingOptions}: who is above a robot in another thread. */
function levels(value: unknown): NonNullable<CrossingOptions["inherited"]> {
	const fields = record(value);
	const level = (name: "task" | "network"): object =>
		fields[name] === undefined ? {} : { [name]: field(fields, name, (said) => selections(record(said))) };
	return { ...level("task"), ...level("network") };
}

function selections(fields: Fields): { readonly tools?: Selection; readonly mcp?: Selection } {
	const { tools, mcp } = fields;
	return {
		...(tools !== undefined && { tools: field(fields, "tools", selection) }),
		...(mcp !== undefined && { mcp: field(fields, "mcp", selection) }),
	};
}

function selection(value: unknown): Selection {
	if (selectionFlaw(value) !== undefined) throw new TypeError(`is ${describeValue(value)}, and no choice`);
	return value as Selection;
}

function abort(value: unknown): AbortRecord {
	const fields = record(value);
	return { name: field(fields, "name", text), message: field(fields, "message", text) };
}

function event(value: unknown): PublishedEvent {
	const problem = eventProblem(value);
	if (problem !== undefined) throw new TypeError(problem);
	return value as PublishedEvent;
}

function parsed(value: unknown): unknown {
	if (value === null) return undefined;
	const written = text(value);
	try {
		return JSON.parse(written);
	} catch (cause) {
		throw new TypeError("is no JSON", { cause });
	}
}

function failure(value: unknown, causes: number = MAX_CAUSES): FailureRecord {
	const fields = record(value);
	const { stack, cause } = fields;
	if (cause !== undefined && causes === 0) throw new TypeError("has more causes than anybody tells");
	return {
		name: field(fields, "name", text),
		message: field(fields, "message", text),
		...(stack !== undefined && { stack: field(fields, "stack", text) }),
		types: field(fields, "types", texts),
		fields: field(fields, "fields", (said) => list(said, fact)),
		...(cause !== undefined && { cause: field(fields, "cause", (led) => failure(led, causes - 1)) }),
	};
}

function fact(value: unknown): FailureRecord["fields"][number] {
	const [name, said] = list(value, (entry) => entry);
	return [text(name), json(said)];
}
