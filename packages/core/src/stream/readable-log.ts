import type { EventReader, ReaderOptions } from "./event-reader.js";
import type { StreamEvent } from "./stream-event.js";
import type { Subscription } from "./subscription.js";

/** What a listener has use for. */
export interface ListenerOptions {
	/**
	 * Asked before each delta of text: `false` where the listener would do nothing with it. It may be skipped then. Default: it wants them,
	 * as it does where the question fails.
	 */
	readonly wantsDeltas?: () => boolean;
}

/** Where a reader begins, and how it wants to be served. */
export interface EventsOptions extends ReaderOptions {
	/** Begin behind this number: 0 is the beginning. Default: with what is published from now on. */
	readonly after?: number;
}

/** A log as those see it who are told of a run and cannot publish to it. An `EventLog` is one. */
export interface ReadableLog {
	/** Whether `stream.ended` was published. */
	readonly ended: boolean;
	/** How many of the last events it keeps, at most. */
	readonly history: number;
	/** The number of the oldest event that is kept; `undefined` when none is. */
	readonly firstSequenceNumber: number | undefined;
	/** The number of the last event; 0 before any. */
	readonly lastSequenceNumber: number;
	/** Calls the listener with every event from now on, at once. What it throws, or rejects with, changes nothing. */
	subscribe(listener: (event: StreamEvent) => unknown, options?: ListenerOptions): Subscription;
	/**
	 * Reads the events, until `stream.ended`. Throws ConfigurationError for options that are none, and StreamError `events_gone` where those
	 * behind `after` are no longer all kept, or there is no event with that number yet.
	 */
	events(options?: EventsOptions): EventReader;
	/** The kept events behind a number, at most `most` of them. Throws StreamError `events_gone` where {@link holds} says no. */
	after(sequenceNumber: number, most?: number): readonly StreamEvent[];
	/** Whether everything behind a number is still kept. Not so for a number that is still to come. */
	holds(sequenceNumber: number): boolean;
}
