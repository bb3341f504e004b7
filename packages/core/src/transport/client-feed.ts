import type { ServerResponse } from "node:http";
import type { ReadableLog } from "../stream/readable-log.js";
import type { EventCursor, MissedEvents } from "./event-cursor.js";
import { eventFrame, HEARTBEAT, resyncFrame } from "./event-frames.js";

/** How many events are looked at together. More would be joined in vain for a client who takes little at a time. */
const BATCH = 64;

export interface FeedOptions {
	readonly heartbeatMs: number;
	/** Answers with JSON, or `undefined` where there is none. */
	readonly snapshot: () => string | undefined;
	readonly signal: AbortSignal | undefined;
}

/** Feeds one client from its place in the log, as fast as it takes it. Nothing is kept for it but that place. */
export class ClientFeed {
	readonly #log: ReadableLog;
	readonly #cursor: EventCursor;
	readonly #response: ServerResponse;
	readonly #options: FeedOptions;
	#isBlocked = false;
	#wake: NodeJS.Immediate | undefined;
	#heartbeat: NodeJS.Timeout | undefined;
	#failure: { readonly error: unknown } | undefined;

	constructor(log: ReadableLog, cursor: EventCursor, response: ServerResponse, options: FeedOptions) {
		this.#log = log;
		this.#cursor = cursor;
		this.#response = response;
		this.#options = options;
	}

	/** Resolves when the response is closed: the client has everything, is gone, or the signal came. Rejects with what failed here. */
	async run(): Promise<void> {
		const { heartbeatMs, signal } = this.#options;
		const subscription = this.#log.subscribe(this.#wakeUp);
		this.#heartbeat = setInterval(this.#beat, heartbeatMs).unref();
		this.#response.on("drain", this.#goOn);
		signal?.addEventListener("abort", this.#leave);
		try {
			if (signal?.aborted) this.#leave();
			else this.#feed();
			await closed(this.#response);
			if (this.#failure !== undefined) throw this.#failure.error;
		} finally {
			subscription.unsubscribe();
			clearInterval(this.#heartbeat);
			clearImmediate(this.#wake);
			signal?.removeEventListener("abort", this.#leave);
		}
	}

	#feed(): void {
		try {
			while (this.#isOpen && !this.#isBlocked && this.#feedOn());
		} catch (error) {
			this.#failure = { error };
			this.#response.destroy();
		}
	}

	/** Whether there may be more. */
	#feedOn(): boolean {
		const missed = this.#cursor.takeMissed();
		if (missed !== undefined) {
			this.#resync(missed);
			return true;
		}
		const events = this.#cursor.waiting(BATCH);
		for (const event of events) {
			if (this.#isBlocked) break;
			this.#write(eventFrame(event));
			this.#cursor.moveTo(event.sequenceNumber);
		}
		if (this.#cursor.isAtEnd) this.#response.end();
		return events.length > 0;
	}

	/** A snapshot has all up to the last event. To give some of those again would leave it to the client to tell which. */
	#resync(missed: MissedEvents): void {
		const snapshot = this.#options.snapshot();
		if (snapshot !== undefined) this.#cursor.moveTo(missed.last);
		this.#write(resyncFrame(snapshot === undefined ? missed : { ...missed, first: missed.last + 1 }, snapshot));
	}

	#write(frame: string): void {
		this.#isBlocked = !this.#response.write(frame);
		this.#heartbeat?.refresh();
	}

	get #isOpen(): boolean {
		return !this.#response.writableEnded && !this.#response.destroyed;
	}

	/** A moment later, so that deltas published in a row are one event and one write. */
	readonly #wakeUp = (): void => {
		if (this.#isBlocked || this.#wake !== undefined) return;
		this.#wake = setImmediate(() => {
			this.#wake = undefined;
			this.#feed();
		});
	};

	readonly #goOn = (): void => {
		this.#isBlocked = false;
		this.#feed();
	};

	readonly #beat = (): void => {
		if (this.#isOpen && !this.#isBlocked) this.#write(HEARTBEAT);
	};

	/** Who does not read would never let the response end. */
	readonly #leave = (): void => {
		if (this.#isBlocked) this.#response.destroy();
		else if (this.#isOpen) this.#response.end();
	};
}

/** Resolves when nothing more can be written to a response, whoever ended it. */
export async function closed(response: ServerResponse): Promise<void> {
	if (response.closed) return;
	await new Promise<void>((resolve) => response.once("close", resolve));
}
