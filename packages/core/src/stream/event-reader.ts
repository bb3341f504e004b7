import { StreamError } from "../errors/stream-error.js";
import { EventQueue } from "./event-queue.js";
import type { StreamEvent } from "./stream-event.js";

/** What happens to a reader who is slower than the run. */
export type Overflow = "coalesce" | "block" | "error";

export interface ReaderOptions {
	/**
	 * `coalesce` (default): the deltas of one part that wait become one event with the range of their numbers; all else waits. `block`: the
	 * run's model is not read on until there is room, from the reader's first event on; output of scripts, which cannot be held up, is
	 * coalesced. `error`: the reader is told of what waits and then gets a StreamError `stream_overflow`; the run goes on without it.
	 */
	readonly overflow?: Overflow;
	/** How many events may wait. A whole number of 1 or more, default 1024. */
	readonly capacity?: number;
}

/** One reader of a log. Leaving it early, with `break` or `return()`, ends it and nothing else. */
export class EventReader implements AsyncIterableIterator<StreamEvent> {
	readonly #overflow: Overflow;
	readonly #queue: EventQueue;
	readonly #onClose: (reader: EventReader) => void;
	#waiting: { readonly resolve: (result: IteratorResult<StreamEvent>) => void; readonly reject: (error: unknown) => void }[] = [];
	#room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
	#hasBegun = false;
	#isOpen = true;
	#failure: unknown;

	constructor({ overflow = "coalesce", capacity = DEFAULT_CAPACITY }: ReaderOptions, onClose: (reader: EventReader) => void) {
		this.#overflow = overflow;
		this.#queue = new EventQueue(capacity);
		this.#onClose = onClose;
	}

	/** Resolves when the run may go on; `undefined`: at once. */
	get room(): Promise<void> | undefined {
		if (this.#overflow !== "block" || !this.#hasBegun || !this.#isOpen || !this.#queue.isFull) return undefined;
		this.#room ??= promiseToResolve();
		return this.#room.promise;
	}

	push(event: StreamEvent): void {
		if (!this.#isOpen) return;
		const next = this.#waiting.shift();
		if (next !== undefined) next.resolve({ done: false, value: event });
		else if (this.#overflow === "error" && this.#queue.isFull) this.end(overflown());
		else this.#queue.push(event);
	}

	/** Nothing more comes. What waits is still read, and then the error, if there is one. */
	end(failure?: unknown): void {
		if (!this.#isOpen) return;
		this.#failure = failure;
		this.#close();
		for (const { resolve } of this.#waiting.splice(0)) resolve(DONE);
	}

	next(): Promise<IteratorResult<StreamEvent>> {
		this.#hasBegun = true;
		const event = this.#queue.shift();
		if (!this.#queue.isFull) this.#giveRoom();
		if (event !== undefined) return Promise.resolve({ done: false, value: event });
		if (this.#isOpen) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
		const failure = this.#failure;
		this.#failure = undefined;
		return failure === undefined ? Promise.resolve(DONE) : Promise.reject(failure);
	}

	return(): Promise<IteratorResult<StreamEvent>> {
		this.#queue.clear();
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

	#close(): void {
		this.#isOpen = false;
		this.#giveRoom();
		this.#onClose(this);
	}

	#giveRoom(): void {
		this.#room?.resolve();
		this.#room = undefined;
	}
}

const DEFAULT_CAPACITY = 1_024;

const DONE: IteratorResult<StreamEvent> = Object.freeze({ done: true, value: undefined });

function promiseToResolve(): { readonly promise: Promise<void>; readonly resolve: () => void } {
	let resolve = (): void => {};
	const promise = new Promise<void>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}

const overflown = (): StreamError =>
	new StreamError(
		"stream_overflow",
		'A reader of events was slower than the run, and more events waited than its capacity. Read faster, raise capacity, or choose overflow "coalesce" or "block".',
	);
