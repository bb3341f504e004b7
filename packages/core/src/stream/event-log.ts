import { ConfigurationError } from "../errors/configuration-error.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { StreamError } from "../errors/stream-error.js";
import { EventHistory } from "./event-history.js";
import { EventReader, type ReaderOptions } from "./event-reader.js";
import { firstNumber } from "./merge-deltas.js";
import type { PublishedEvent, StreamEvent } from "./stream-event.js";
import { type Subscription, subscription } from "./subscription.js";

const DEFAULT_HISTORY = 1_024;
const MAX_HISTORY_CHARACTERS = 4 * 1024 * 1024;

export interface EventLogOptions {
	/** How many of the last events are kept for `after`; of their text at most 4 Mi characters. 0 keeps none. Default 1024. */
	readonly history?: number;
	/** Told what a listener throws or rejects with. Default: a process warning, once for each listener. */
	readonly onListenerError?: (error: unknown) => void;
}

export interface ListenerOptions {
	/** Asked before each delta of text: `false` where the listener would do nothing with it. It may be skipped then. Default: it wants them. */
	readonly wantsDeltas?: () => boolean;
}

export interface EventsOptions extends ReaderOptions {
	/** Begin behind this number: 0 is the beginning. Default: with what is published from now on. */
	readonly after?: number;
}

/**
 * The events of one root run and of everything beneath it, in order. Listeners are told at once and cannot disturb each other; each reader
 * has a bounded queue of its own. `stream.ended` ends it: what is published later is dropped.
 */
export class EventLog {
	readonly #history: EventHistory;
	readonly #onListenerError: EventLogOptions["onListenerError"];
	readonly #listeners = new Map<(event: StreamEvent) => void, ListenerOptions>();
	readonly #readers = new Set<EventReader>();
	#last = 0;
	#ended = false;

	constructor({ history = DEFAULT_HISTORY, onListenerError }: EventLogOptions = {}) {
		checkWhole("history", history, 0);
		this.#history = new EventHistory({ events: history, characters: MAX_HISTORY_CHARACTERS });
		this.#onListenerError = onListenerError;
		this.#keeps = history > 0;
	}

	readonly #keeps: boolean;

	/** Whether `stream.ended` was published. */
	get ended(): boolean {
		return this.#ended;
	}

	/** The number of the last event; 0 before any. */
	get lastSequenceNumber(): number {
		return this.#last;
	}

	/** The number of the oldest event that is kept; `undefined` when none is. */
	get firstSequenceNumber(): number | undefined {
		return this.#history.firstNumber;
	}

	/** Whether anybody would notice a delta. Where nobody would, a publisher may `skip` it. */
	get isHeard(): boolean {
		if (this.#keeps || this.#readers.size > 0) return true;
		for (const { wantsDeltas } of this.#listeners.values()) if (wantsDeltas?.() ?? true) return true;
		return false;
	}

	/** Adds an event and tells of it. One whose number is not behind the last is a repetition and is dropped. May be handed on alone. */
	readonly publish = (published: PublishedEvent): void => {
		if (this.#ended || published.sequenceNumber <= this.#last) return;
		const event = published as unknown as StreamEvent;
		this.#last = event.sequenceNumber;
		this.#ended = event.event === "stream.ended";
		this.#history.add(event);
		for (const listener of this.#listeners.keys()) listener(event);
		for (const reader of this.#readers) reader.push(event);
		if (this.#ended) this.#end();
	};

	/** Counts an event that nobody heard, and that was not made for that reason. */
	skip(sequenceNumber: number): void {
		this.#last = sequenceNumber;
	}

	/** Calls the listener with every event from now on, at once. What it throws, or rejects with, changes nothing. */
	subscribe(listener: (event: StreamEvent) => unknown, options: ListenerOptions = {}): Subscription {
		const guarded = guardedListener(listener, this.#onListenerError ?? warnOnceOf());
		this.#listeners.set(guarded, options);
		return subscription(() => this.#listeners.delete(guarded));
	}

	/** Reads the events, until `stream.ended`. Throws StreamError `events_gone` where those behind `after` are no longer all kept. */
	events({ after, ...options }: EventsOptions = {}): EventReader {
		checkReader(options);
		const reader = new EventReader(options, (closed) => this.#readers.delete(closed));
		if (after !== undefined) for (const event of this.after(after)) reader.push(event);
		if (this.#ended) reader.end();
		else this.#readers.add(reader);
		return reader;
	}

	/** The kept events behind a number, at most `most` of them. Throws StreamError `events_gone` where the next one is no longer kept. */
	after(sequenceNumber: number, most?: number): readonly StreamEvent[] {
		checkWhole("after", sequenceNumber, 0);
		if (!this.holds(sequenceNumber)) throw gone(sequenceNumber, this.#history.firstNumber);
		return this.#history.after(sequenceNumber, most);
	}

	/** Whether everything behind a number is still kept. */
	holds(sequenceNumber: number): boolean {
		if (sequenceNumber >= this.#last) return sequenceNumber === this.#last;
		const [next] = this.#history.after(sequenceNumber, 1);
		return next !== undefined && firstNumber(next) <= sequenceNumber + 1;
	}

	/** Resolves when every reader that blocks has room; `undefined`: at once. */
	get room(): Promise<void> | undefined {
		for (const reader of this.#readers) {
			const { room } = reader;
			if (room !== undefined) return room.then(() => this.room);
		}
		return undefined;
	}

	#end(): void {
		for (const reader of this.#readers) reader.end();
		this.#listeners.clear();
	}
}

function checkReader({ overflow = "coalesce", capacity = 1 }: ReaderOptions): void {
	checkWhole("capacity", capacity, 1);
	if (["coalesce", "block", "error"].includes(overflow)) return;
	throw new ConfigurationError(`overflow must be "coalesce", "block" or "error", got ${JSON.stringify(overflow)}.`);
}

function checkWhole(name: string, value: number, least: number): void {
	if (Number.isSafeInteger(value) && value >= least) return;
	throw new ConfigurationError(`${name} must be a whole number of ${least} or more, got ${String(value)}.`);
}

function gone(after: number, first: number | undefined): StreamError {
	const kept = first === undefined ? "None are kept" : `The oldest that is kept is ${first}`;
	return new StreamError("events_gone", `The events behind ${after} are not all kept. ${kept}; a larger history keeps more.`);
}

function warnOnceOf(): (error: unknown) => void {
	let hasWarned = false;
	return (error) => {
		if (hasWarned) return;
		hasWarned = true;
		const reason = error instanceof Error ? error.message : String(error);
		process.emitWarning(`A listener of events failed, and is still told of the next ones: ${reason}`, {
			code: "ROBOT_LAB_LISTENER_FAILED",
		});
	};
}
