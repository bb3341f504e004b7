import { randomBytes, randomUUID } from "node:crypto";
import { ConfigurationError } from "../errors/configuration-error.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { didYouMean } from "../text/nearest-names.js";
import { frozenCopy, isObject } from "../value/frozen-copy.js";
import { SequenceCounter } from "./sequence-counter.js";
import type { EventOrigin, PublishedEvent } from "./stream-event.js";
import { StreamEvents } from "./stream-events.js";

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
	/** Default: a process warning, once for each context. */
	readonly onPublishError?: (error: unknown) => void;
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
	readonly #options: StreamContextOptions;
	readonly #now: () => number;
	readonly #publish: (event: PublishedEvent) => void;

	/** Throws ConfigurationError where an id is no text or `publish` no function. */
	constructor(options: StreamContextOptions) {
		checkOptions(options);
		this.#options = options;
		this.runId = options.runId;
		this.messageId = options.messageId;
		this.scope = options.scope;
		this.parentRunId = options.parentRunId;
		this.sequenceCounter = options.sequenceCounter ?? new SequenceCounter();
		this.#now = options.now ?? Date.now;
		this.#publish = guardedListener(options.publish, options.onPublishError ?? warnOnceOf(options.runId));
	}

	/**
	 * Publishes an event and returns it, whatever became of its publication. `data` is copied; what it says of the origin itself gives way
	 * to the context's. Throws ConfigurationError for an unknown name, where the context is `strict`.
	 */
	publishEvent<Name extends string>({ event, data = {} }: { readonly event: Name; readonly data?: object }): PublishedEvent<Name> {
		if (this.#options.strict && !StreamEvents.isValid(event)) throw unknownName(event);
		const sequenceNumber = this.sequenceCounter.next();
		const published = Object.freeze({
			event,
			data: this.#dataOf(data),
			timestamp: this.#time(),
			sequenceNumber,
			id: `publish-${sequenceNumber}:${event}`,
		});
		this.#publish(published);
		return published;
	}

	/** A context for a run beneath this one: the same publisher and counter, a new message. `scope` is `"robot"` by default. */
	createChildContext(runId: string, scope = "robot"): StreamContext {
		return this.#context({ runId, messageId: this.generateMessageId(), scope, parentRunId: this.runId });
	}

	/** A context of another run, message or scope in the same sequence, beneath nobody. */
	createContextWithSharedSequence(origin: { readonly runId: string; readonly messageId: string; readonly scope: string }): StreamContext {
		const { runId, messageId, scope } = origin;
		return this.#context({ runId, messageId, scope });
	}

	/** A context of the same run for its next message. */
	createContextForMessage(messageId: string = this.generateMessageId()): StreamContext {
		const { runId, scope, parentRunId } = this;
		return this.#context({ runId, messageId, scope, ...(parentRunId !== undefined && { parentRunId }) });
	}

	/** An id for a part: `part_<8 of the message's id>_<6 digits of the time>_<8 random hexadecimal digits>`, at most 40 characters. */
	generatePartId(): string {
		const message = this.messageId.slice(0, PART_ID_DIGITS.message).replaceAll(/[^A-Za-z0-9_-]/g, "_");
		const time = lastDigits(this.#time(), PART_ID_DIGITS.time);
		const random = this.#options.randomHex ?? ((bytes) => randomBytes(bytes).toString("hex"));
		return `part_${message}_${time}_${random(PART_ID_DIGITS.random / 2).slice(0, PART_ID_DIGITS.random)}`;
	}

	/** An id for a step: `publish-<number of the last event>:<baseName>`. The same until the next event is published. */
	generateStepId(baseName: string): string {
		return `publish-${this.sequenceCounter.current}:${baseName}`;
	}

	generateMessageId(): string {
		return (this.#options.newId ?? randomUUID)();
	}

	#time(): number {
		const now = Math.trunc(this.#now());
		return Number.isFinite(now) ? now : 0;
	}

	#context(origin: EventOrigin): StreamContext {
		const { parentRunId: _, ...options } = this.#options;
		return new StreamContext({ ...options, ...origin, sequenceCounter: this.sequenceCounter });
	}

	#dataOf(data: object): PublishedEvent["data"] {
		const { runId, messageId, scope, parentRunId } = this;
		const copy: Record<string, unknown> = { ...data, runId, messageId, scope };
		if (parentRunId !== undefined) copy.parentRunId = parentRunId;
		for (const key in copy) {
			const value = copy[key];
			if (isObject(value)) copy[key] = frozenCopy(value);
		}
		return Object.freeze(copy) as PublishedEvent["data"];
	}
}

const PART_ID_DIGITS = { message: 8, time: 6, random: 8 } as const;

/** The last digits of a clock that may be anywhere. */
const lastDigits = (value: number, count: number): string => String(Math.abs(value) % 10 ** count).padStart(count, "0");

function checkOptions(options: StreamContextOptions): void {
	for (const name of ["runId", "messageId", "scope"] as const) {
		if (typeof options?.[name] !== "string")
			throw new ConfigurationError(`A StreamContext needs a ${name} of text, got ${typeof options?.[name]}.`);
	}
	if (typeof options.publish !== "function") {
		throw new ConfigurationError("A StreamContext needs publish: a function that is handed each event.");
	}
}

function unknownName(event: string): ConfigurationError {
	const hint = didYouMean(event, StreamEvents.ALL);
	return new ConfigurationError(
		`Cannot publish "${event}": it is none of the twenty names in StreamEvents.ALL.${hint} Without strict it would be published.`,
	);
}

function warnOnceOf(runId: string): (error: unknown) => void {
	let hasWarned = false;
	return (error) => {
		if (hasWarned) return;
		hasWarned = true;
		const reason = error instanceof Error ? error.message : String(error);
		process.emitWarning(`The publisher of run ${runId} failed, and the run goes on: ${reason}`, { code: "ROBOT_LAB_PUBLISHER_FAILED" });
	};
}
