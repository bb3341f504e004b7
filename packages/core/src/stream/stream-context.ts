import { randomFillSync } from "node:crypto";
import { ConfigurationError } from "../errors/configuration-error.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { frozenEntries, frozenOwn } from "../value/frozen-copy.js";
import { type FailureWarning, failureReport } from "./failure-report.js";
import { randomUuid } from "./random-uuid.js";
import { SequenceCounter } from "./sequence-counter.js";
import type { EventOrigin, PublishedEvent } from "./stream-event.js";
import { type DeltaEventName, StreamEvents } from "./stream-events.js";

/** What a context takes from its surroundings. */
export interface StreamSurroundings {
	/** Milliseconds since 1970. Default `Date.now`. */
	readonly now?: () => number;
	/** So many random bytes as hexadecimal digits. Default: from `node:crypto`. */
	readonly randomHex?: (bytes: number) => string;
	/** A new id for a message. Default: a random UUID. */
	readonly newId?: () => string;
}

export interface StreamContextOptions extends StreamSurroundings {
	/** Which run publishes. */
	readonly runId: string;
	/** Which message its events belong to. */
	readonly messageId: string;
	/** What kind of run it is, e.g. `"robot"` or `"network"`. */
	readonly scope: string;
	/** Is handed each event. What it throws, or rejects with, is told to `onPublishError` and changes nothing. */
	readonly publish: (event: PublishedEvent) => unknown;
	/** The run beneath which this one runs. Default: none. */
	readonly parentRunId?: string;
	/** Share it among contexts whose events are one sequence. Default: a new one. */
	readonly sequenceCounter?: SequenceCounter;
	/** Whether a name that is none of the twenty throws. Default false: it is published. */
	readonly strict?: boolean;
	/** What it fails with itself changes nothing either. Default: a process warning, once for each run. */
	readonly onPublishError?: (error: unknown) => unknown;
}

/** A piece of a part, as text. */
export interface NewDelta<Name extends DeltaEventName = DeltaEventName> {
	readonly event: Name;
	readonly partId: string;
	readonly delta: string;
}

/**
 * Publishes the events of one run: numbers them, stamps them with the time and says in each where it comes from. Contexts that share a
 * counter are one sequence; that of a root run and of every run beneath it has no gaps.
 */
export class StreamContext {
	readonly runId: string;
	readonly messageId: string;
	readonly scope: string;
	readonly parentRunId: string | undefined;
	readonly sequenceCounter: SequenceCounter;
	/** Those of the context that this one is made of, if any: what is left of a context's own is its origin. */
	readonly #options: StreamContextOptions;
	readonly #now: () => number;
	#partIdStart: string | undefined;
	readonly #publish: (event: PublishedEvent) => void;

	/** Throws ConfigurationError where an id is no text or `publish` no function. */
	constructor(options: StreamContextOptions);
	/** @internal One that is made of another: they share whom they publish to, and how. */
	constructor(origin: EventOrigin, family: StreamContext);
	constructor(options: StreamContextOptions | EventOrigin, family?: StreamContext) {
		checkOrigin(options);
		this.#options = family === undefined ? checked(options as StreamContextOptions) : family.#options;
		this.runId = options.runId;
		this.messageId = options.messageId;
		this.scope = options.scope;
		this.parentRunId = options.parentRunId;
		this.sequenceCounter = family?.sequenceCounter ?? this.#options.sequenceCounter ?? new SequenceCounter();
		this.#now = this.#options.now ?? Date.now;
		this.#publish = family === undefined ? publisherOf(this.#options) : family.#publish;
	}

	/**
	 * Publishes an event and returns it, whatever became of its publication. `data` is copied, frozen to the bottom, and can always be
	 * written as JSON: see {@link frozenEntries}. What it says of the origin itself gives way to the context's. Throws ConfigurationError for a name
	 * that is no text or empty, or an unknown one where the context is `strict`; a number is taken only where an event is made.
	 */
	publishEvent<Name extends string>({ event, data = {} }: { readonly event: Name; readonly data?: object }): PublishedEvent<Name> {
		checkName(event, this.#options.strict);
		// before the number is taken: reading them may run code of others, which may publish or throw
		return this.#send(event, frozenEntries(data, originOf(this)));
	}

	/** @internal {@link publishEvent} for data that was made for this event alone, under keys of text: it is completed and frozen, not copied. */
	publishOwn(event: string, data: Record<string, unknown>): PublishedEvent {
		const { runId, messageId, scope, parentRunId } = this;
		// one by one: Object.assign() takes as long as all the rest of this
		data.runId = runId;
		data.messageId = messageId;
		data.scope = scope;
		if (parentRunId !== undefined) data.parentRunId = parentRunId;
		return this.#send(event, frozenOwn(data as Record<string, unknown> & EventOrigin));
	}

	/** @internal {@link publishEvent} for data under keys of text whose values are frozen to the bottom: it may be published again and again. */
	publishFrozen(event: string, data: object): PublishedEvent {
		return this.#send(event, Object.freeze({ ...data, ...originOf(this) }));
	}

	/**
	 * Publishes a piece of a part as {@link publishEvent} does. There is more of them than of all else together, and they are texts and nothing
	 * else: their data is made instead of copied.
	 */
	publishDelta<Name extends DeltaEventName>({ event, partId, delta }: NewDelta<Name>): PublishedEvent<Name> {
		checkName(event, this.#options.strict);
		// a tool that keeps to no types may hand anything on
		if (typeof partId !== "string" || typeof delta !== "string") return this.publishEvent({ event, data: { partId, delta } });
		const { runId, messageId, scope, parentRunId } = this;
		const data = { partId, delta, runId, messageId, scope };
		return this.#send(event, Object.freeze(parentRunId === undefined ? data : { ...data, parentRunId }));
	}

	/** A context for a run beneath this one: the same publisher and counter, a message of its own. `scope` is `"robot"` by default. */
	createChildContext(runId: string, scope = "robot", messageId: string = this.generateMessageId()): StreamContext {
		return new StreamContext({ runId, messageId, scope, parentRunId: this.runId }, this);
	}

	/** A context of another run, message or scope in the same sequence, beneath nobody. */
	createContextWithSharedSequence(origin: { readonly runId: string; readonly messageId: string; readonly scope: string }): StreamContext {
		const { runId, messageId, scope } = origin;
		return new StreamContext({ runId, messageId, scope }, this);
	}

	/** A context of the same run for its next message. */
	createContextForMessage(messageId: string = this.generateMessageId()): StreamContext {
		const { runId, scope, parentRunId } = this;
		return new StreamContext({ runId, messageId, scope, ...(parentRunId !== undefined && { parentRunId }) }, this);
	}

	/** An id for a part: `part_<8 of the message's id>_<6 digits of the time>_<8 random hexadecimal digits>`, at most 40 characters. */
	generatePartId(): string {
		this.#partIdStart ??= `part_${this.messageId.slice(0, PART_ID_DIGITS.message).replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
		const time = lastDigits(this.#time(), PART_ID_DIGITS.time);
		const random = this.#options.randomHex ?? pooledHex;
		return `${this.#partIdStart}_${time}_${random(PART_ID_DIGITS.random / 2).slice(0, PART_ID_DIGITS.random)}`;
	}

	/** An id for a step: `publish-<number of the last event>:<baseName>`. The same until the next event is published. */
	generateStepId(baseName: string): string {
		return `publish-${this.sequenceCounter.current}:${baseName}`;
	}

	/** An id for a message: a random UUID, unless the context was given `newId`. */
	generateMessageId(): string {
		return (this.#options.newId ?? randomUuid)();
	}

	#send<Name extends string>(event: Name, data: PublishedEvent["data"]): PublishedEvent<Name> {
		const timestamp = this.#time();
		const sequenceNumber = this.sequenceCounter.next();
		const id = `publish-${sequenceNumber}:${event}`;
		const published = Object.freeze({ event, data, timestamp, sequenceNumber, id });
		this.#publish(published);
		return published;
	}

	/** Whole milliseconds; 0 where the clock has no number. */
	#time(): number {
		const now = Math.trunc(this.#now());
		return Number.isFinite(now) ? now + 0 : 0;
	}
}

/** Publishes for contexts of one family. What fails is reported for each run by itself. */
function publisherOf({ publish, onPublishError }: StreamContextOptions): (event: PublishedEvent) => void {
	const reports = new Map<string, (error: unknown) => void>();
	return guardedListener(publish, (error, { data: { runId } }) => {
		const report = reports.get(runId) ?? failureReport(onPublishError, publisherFailed(runId));
		reports.set(runId, report);
		report(error);
	});
}

const PART_ID_DIGITS = { message: 8, time: 6, random: 8 } as const;

/** The last digits of a clock that may be anywhere. */
const lastDigits = (value: number, count: number): string => String(Math.abs(value) % 10 ** count).padStart(count, "0");

function originOf({ runId, messageId, scope, parentRunId }: StreamContext): EventOrigin {
	return { runId, messageId, scope, ...(parentRunId !== undefined && { parentRunId }) };
}

function checkOrigin(origin: EventOrigin): void {
	for (const name of ["runId", "messageId", "scope"] as const) {
		const value: unknown = origin?.[name];
		if (typeof value !== "string") throw new ConfigurationError(`A StreamContext needs a ${name} of text, got ${describeValue(value)}.`);
	}
}

function checked(options: StreamContextOptions): StreamContextOptions {
	if (typeof options.publish === "function") return options;
	const got = describeValue(options.publish);
	throw new ConfigurationError(`A StreamContext needs publish: a function that is handed each event, got ${got}.`);
}

function checkName(event: unknown, strict = false): void {
	if (typeof event !== "string" || event === "")
		throw new ConfigurationError(`Cannot publish an event: its name must be text that is not empty, got ${describeValue(event)}.`);
	if (!strict || StreamEvents.isValid(event)) return;
	const hint = didYouMean(event, StreamEvents.ALL);
	throw new ConfigurationError(
		`Cannot publish ${describeValue(event)}: it is none of the twenty names in StreamEvents.ALL.${hint} Without strict it would be published.`,
	);
}

const publisherFailed = (runId: string): FailureWarning => ({
	what: `The publisher of run ${runId} failed, and the run goes on`,
	code: "ROBOT_LAB_PUBLISHER_FAILED",
});

/** Drawn for many ids at once: asking for four bytes alone costs more than all else of a short run together. */
const drawn = Buffer.alloc(4_096);
let used: number = drawn.length;

function pooledHex(bytes: number): string {
	if (used + bytes > drawn.length) {
		randomFillSync(drawn);
		used = 0;
	}
	used += bytes;
	return drawn.toString("hex", used - bytes, used);
}
