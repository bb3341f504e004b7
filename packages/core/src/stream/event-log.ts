import { guardedListener } from "../errors/guarded-listener.js";
import { StreamError } from "../errors/stream-error.js";
import { checkReader, checkWhole } from "./check-options.js";
import { EventHistory } from "./event-history.js";
import { EventReader } from "./event-reader.js";
import { type FailureWarning, failureReport } from "./failure-report.js";
import { Fifo } from "./fifo.js";
import { charactersOf } from "./measured-events.js";
import { firstNumber } from "./merge-deltas.js";
import type { EventsOptions, ListenerOptions, ReadableLog } from "./readable-log.js";
import type { PublishedEvent, StreamEvent } from "./stream-event.js";
import { type Subscription, subscription } from "./subscription.js";

const DEFAULT_HISTORY = 1_024;
const MAX_HISTORY_CHARACTERS = 4 * 1024 * 1024;

/** What a log keeps, and whom it tells of listeners that fail. */
export interface EventLogOptions {
	/** How many of the last events are kept for `after`; of their text at most 4 Mi characters. 0 keeps none. Default 1024. */
	readonly history?: number;
	/**
	 * Told what a listener throws or rejects with; what it fails with itself changes nothing. It must not publish to the same log: a
	 * listener that fails each time would never be done. Default: a process warning, once for each listener.
	 */
	readonly onListenerError?: (error: unknown) => unknown;
}

/**
 * The events of one root run and of everything beneath it, in order. Listeners are told at once and cannot disturb each other; each reader
 * has a bounded queue of its own. What a listener publishes is told once all have been told of what it was told of, so that everybody gets
 * the events in the order of their numbers. `stream.ended` ends it: what is published later is dropped.
 */
export class EventLog implements ReadableLog {
	readonly #history: EventHistory;
	readonly #onListenerError: EventLogOptions["onListenerError"];
	readonly #listeners = new Map<(event: StreamEvent) => void, Listening>();
	readonly #readers = new Set<EventReader>();
	/** Published, and not told of yet. */
	readonly #untold: Fifo<StreamEvent> = new Fifo();
	#isTelling = false;
	/** The number that was published last. */
	#last = 0;
	/** The number that was told of first, and last. */
	#firstTold = 1;
	#told = 0;
	#ended = false;
	/** Whether everybody has been told of the end. */
	#closed = false;

	/** Throws ConfigurationError where `history` is no whole number. */
	constructor({ history = DEFAULT_HISTORY, onListenerError }: EventLogOptions = {}) {
		checkWhole("history", history, 0);
		this.#history = new EventHistory({ events: history, characters: MAX_HISTORY_CHARACTERS });
		this.#onListenerError = onListenerError;
	}

	/** Whether `stream.ended` was published. */
	get ended(): boolean {
		return this.#ended;
	}

	/** How many of the last events are kept, at most. */
	get history(): number {
		return this.#history.limit;
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
		if (this.#isHeld) return true;
		for (const { wantsDeltas } of this.#listeners.values()) if (isWanted(wantsDeltas)) return true;
		return false;
	}

	/** Adds an event and tells of it. One whose number is not behind the last is a repetition and is dropped. May be handed on alone. */
	readonly publish = (published: PublishedEvent): void => {
		// by this number clients come back: what is no whole one, from a publisher of somebody's own, is none
		if (this.#ended || !Number.isSafeInteger(published.sequenceNumber) || published.sequenceNumber <= this.#last) return;
		const event = published as StreamEvent;
		this.#last = event.sequenceNumber;
		this.#ended = event.event === "stream.ended";
		this.#untold.push(event);
		this.#tellAll();
	};

	/** Counts an event that nobody heard, and that was not made for that reason. */
	skip(sequenceNumber: number): void {
		if (this.#ended || !(sequenceNumber > this.#last)) return;
		this.#last = sequenceNumber;
		if (!this.#isTelling) this.#told = sequenceNumber;
	}

	/** Calls the listener with every event from now on, at once. What it throws, or rejects with, changes nothing. */
	subscribe(listener: (event: StreamEvent) => unknown, options: ListenerOptions = {}): Subscription {
		const guarded = guardedListener(listener, failureReport(this.#onListenerError, LISTENER_FAILED));
		if (!this.#closed) this.#listeners.set(guarded, { ...options, since: this.#told });
		return subscription(() => {
			this.#listeners.delete(guarded);
		});
	}

	/**
	 * Reads the events, until `stream.ended`. Throws ConfigurationError for options that are none, and StreamError `events_gone` where those
	 * behind `after` are no longer all kept, or there is no event with that number yet.
	 */
	events({ after, ...options }: EventsOptions = {}): EventReader {
		checkReader(options);
		const backlog = after === undefined ? [] : this.after(after);
		const reader = new EventReader(options, (closed) => this.#readers.delete(closed), backlog);
		if (this.#closed) reader.end();
		else this.#readers.add(reader);
		return reader;
	}

	/** The kept events behind a number, at most `most` of them. Throws StreamError `events_gone` where {@link holds} says no. */
	after(sequenceNumber: number, most?: number): readonly StreamEvent[] {
		checkWhole("after", sequenceNumber, 0);
		if (most !== undefined) checkWhole("most", most, 0);
		if (!this.holds(sequenceNumber)) throw this.#gone(sequenceNumber);
		return this.#history.after(sequenceNumber, most);
	}

	/** Whether everything behind a number is still kept. Not so for a number that is still to come. */
	holds(sequenceNumber: number): boolean {
		if (!(sequenceNumber >= 0)) return false;
		if (sequenceNumber >= this.#told) return sequenceNumber === this.#told;
		const [next] = this.#history.after(sequenceNumber, 1);
		return next !== undefined && firstNumber(next) <= Math.max(sequenceNumber + 1, this.#firstTold);
	}

	/** Resolves when every reader that blocks has room; `undefined`: at once. */
	get room(): Promise<void> | undefined {
		for (const reader of this.#readers) {
			const { room } = reader;
			if (room !== undefined) return room.then(() => this.room);
		}
		return undefined;
	}

	/** One after the other: a listener that publishes is told of that only when everybody has been told of this. */
	#tellAll(): void {
		if (this.#isTelling) return;
		this.#isTelling = true;
		try {
			for (let event = this.#untold.shift(); event !== undefined; event = this.#untold.shift()) this.#tell(event);
			this.#told = this.#last;
		} finally {
			this.#isTelling = false;
		}
	}

	/** Readers first: one that a listener makes begins behind this event, or has it from the history. */
	#tell(event: StreamEvent): void {
		const { sequenceNumber } = event;
		if (this.#told === 0) this.#firstTold = firstNumber(event);
		this.#told = sequenceNumber;
		const characters = this.#isHeld ? charactersOf(event) : 0;
		this.#history.add(event, characters);
		for (const reader of this.#readers) reader.push(event, characters);
		if (event.event === "stream.ended") this.#close();
		this.#listeners.forEach(({ since }, tell) => {
			if (since < sequenceNumber) tell(event);
		});
		if (this.#closed) this.#listeners.clear();
	}

	/** Whether somebody may hold on to what is published. */
	get #isHeld(): boolean {
		return this.#history.limit > 0 || this.#readers.size > 0;
	}

	#close(): void {
		this.#closed = true;
		for (const reader of this.#readers) reader.end();
	}

	#gone(after: number): StreamError {
		if (after > this.#told) {
			const last = `The last event is ${this.#told}`;
			return new StreamError("events_gone", `There is no event ${after}. ${last}; after: 0 begins at the beginning.`);
		}
		const first = this.#history.firstNumber;
		const kept = first === undefined ? "None are kept" : `The oldest that is kept is ${first}`;
		return new StreamError("events_gone", `The events behind ${after} are not all kept. ${kept}; a larger history keeps more.`);
	}
}

interface Listening extends ListenerOptions {
	/** The number that was told of last when it came. */
	readonly since: number;
}

const LISTENER_FAILED: FailureWarning = {
	what: "A listener of events failed, and is still told of the next ones",
	code: "ROBOT_LAB_LISTENER_FAILED",
};

function isWanted(wantsDeltas: ListenerOptions["wantsDeltas"]): boolean {
	try {
		return wantsDeltas?.() ?? true;
	} catch {
		return true;
	}
}
