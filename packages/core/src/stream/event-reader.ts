import { StreamError } from "../errors/stream-error.js";
import { EventQueue } from "./event-queue.js";
import { Fifo } from "./fifo.js";
import type { StreamEvent } from "./stream-event.js";

/** What happens to a reader who is slower than the run. */
export type Overflow = "coalesce" | "block" | "error";

/** How a reader wants to be served. */
export interface ReaderOptions {
	/**
	 * `coalesce` (default): the deltas of one part that wait become one event with the range of their numbers; all else waits. Ranges of
	 * parts that grow at the same time overlap, so that one who means to come back, with `after`, does it behind an event that is no delta.
	 * `block`: the run's model is not read on until there is room, from the reader's first event on; output of scripts, which cannot be held
	 * up, is coalesced. `error`: the reader is told of what waits and then gets a StreamError `stream_overflow`; the run goes on without it.
	 *
	 * The first two have a limit, too: `maxWaitingCharacters`, and of events that cannot be merged about 16 times `capacity`, 16,384 at least.
	 * Beyond it the reader gets what waits and then `stream_overflow`. One that has not asked for its first event by then gets the error
	 * alone: nobody may ever ask, and what waited is let go.
	 */
	readonly overflow?: Overflow;
	/** How many events may wait, those not counted that were kept already when it began. A whole number of 1 or more, default 1024. */
	readonly capacity?: number;
	/**
	 * How many characters of text may wait in them, whatever `overflow` says; the longest of them is not counted. A whole number of 1 or
	 * more, default 16 Mi (16,777,216).
	 */
	readonly maxWaitingCharacters?: number;
}

/** One reader of a log. Leaving it early, with `break` or `return()`, ends it and nothing else. */
export class EventReader implements AsyncIterableIterator<StreamEvent> {
	readonly #overflow: Overflow;
	/** What was kept when it began: it is bounded by the history, and no sign that the reader is slow. */
	readonly #backlog: Fifo<StreamEvent>;
	readonly #queue: EventQueue;
	readonly #onClose: (reader: EventReader) => void;
	readonly #waiting: Fifo<(result: IteratorResult<StreamEvent>) => void> = new Fifo();
	#room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
	#hasBegun = false;
	#isOpen = true;
	#failure: StreamError | undefined;

	/** @param backlog What it reads before anything that is pushed. */
	constructor(
		{ overflow = "coalesce", capacity = DEFAULT_CAPACITY, maxWaitingCharacters = MAX_WAITING_CHARACTERS }: ReaderOptions,
		onClose: (reader: EventReader) => void,
		backlog: readonly StreamEvent[] = [],
	) {
		this.#overflow = overflow;
		this.#backlog = new Fifo(backlog);
		this.#queue = new EventQueue({ capacity, characters: maxWaitingCharacters });
		this.#onClose = onClose;
	}

	/** Resolves when the run may go on; `undefined`: at once. */
	get room(): Promise<void> | undefined {
		if (this.#overflow !== "block" || !this.#hasBegun || !this.#isOpen || !this.#queue.isFull) return undefined;
		this.#room ??= promiseToResolve();
		return this.#room.promise;
	}

	/**
	 * Gives it one more event.
	 *
	 * @param characters Those of all its texts.
	 */
	push(event: StreamEvent, characters: number): void {
		if (!this.#isOpen) return;
		const resolve = this.#waiting.shift();
		if (resolve !== undefined) resolve({ done: false, value: event });
		else if (this.#overflow === "error" && this.#queue.isFull) this.end(overflown(SLOWER));
		else if (!this.#queue.push(event, characters)) this.#giveUp();
	}

	/** Nothing more comes. What waits is still read, and then the error, if there is one. */
	end(failure?: StreamError): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		this.#failure = failure;
		this.#giveRoom();
		for (let resolve = this.#waiting.shift(); resolve !== undefined; resolve = this.#waiting.shift()) resolve(DONE);
		this.#onClose(this);
	}

	/** The next event. Asked several times at once, the answers come in the order of the questions. */
	next(): Promise<IteratorResult<StreamEvent>> {
		this.#hasBegun = true;
		const event = this.#backlog.shift() ?? this.#queue.shift();
		if (!this.#queue.isFull) this.#giveRoom();
		if (event !== undefined) return Promise.resolve({ done: false, value: event });
		if (this.#isOpen) return new Promise((resolve) => this.#waiting.push(resolve));
		const failure = this.#failure;
		this.#failure = undefined;
		return failure === undefined ? Promise.resolve(DONE) : Promise.reject(failure);
	}

	/** Leaves: what waits is dropped, and whoever waits is told that it is over. */
	return(): Promise<IteratorResult<StreamEvent>> {
		this.#letGo();
		this.#failure = undefined;
		this.end();
		return Promise.resolve(DONE);
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.return();
	}

	/** Too much waits. */
	#giveUp(): void {
		if (!this.#hasBegun) this.#letGo();
		this.end(overflown(this.#hasBegun ? TOO_MUCH : NEVER_BEGUN));
	}

	#letGo(): void {
		this.#backlog.clear();
		this.#queue.clear();
	}

	#giveRoom(): void {
		this.#room?.resolve();
		this.#room = undefined;
	}
}

const DEFAULT_CAPACITY = 1_024;
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

const DONE: IteratorResult<StreamEvent> = Object.freeze({ done: true, value: undefined });

function promiseToResolve(): { readonly promise: Promise<void>; readonly resolve: () => void } {
	let resolve = (): void => {};
	const promise = new Promise<void>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}

const SLOWER =
	'was slower than the run, and more events waited than its capacity. Read faster, raise capacity, or choose overflow "coalesce" or "block".';
const TOO_MUCH =
	'was slower than the run, and more waited than is held for it. Read faster, raise maxWaitingCharacters or capacity, or choose overflow "block".';
const NEVER_BEGUN =
	"did not begin to read, and more waited than is held for it; that was let go. Begin at once, or read the log's history later: events({ after }).";

const overflown = (how: string): StreamError => new StreamError("stream_overflow", `A reader of events ${how}`);
