import type { RobotResult } from "../message/robot-result.js";
import type { EventReader, ReaderOptions } from "../stream/event-reader.js";
import type { ReadableLog } from "../stream/readable-log.js";
import type { StreamEvent } from "../stream/stream-event.js";

/**
 * A run that is watched: iterate it for its events, await `result` for its outcome. Both may be used, or either.
 * Leaving the iteration early aborts the run, also while it waits for the next event. A run that fails throws from the iteration, behind its
 * last event, and rejects `result`. A reader that fails by itself, as it was slower than it may be, ends the iteration and not the run.
 */
export class RobotStream implements AsyncIterable<StreamEvent> {
	readonly result: Promise<RobotResult>;
	/** Everything the run publishes: for further readers, for a file, for clients. */
	readonly log: ReadableLog;
	readonly #reader: EventReader;
	readonly #stop = new AbortController();

	/** @param start Begins the run, with the signal that ends it. */
	constructor(log: ReadableLog, options: ReaderOptions, start: (signal: AbortSignal) => Promise<RobotResult>) {
		this.log = log;
		this.#reader = log.events(options);
		this.result = start(this.#stop.signal);
		const end = (): void => this.#reader.end();
		// whoever only iterates must not be told of an unhandled rejection
		this.result.then(end, end);
	}

	/** Each event once, from the first: iterate it in one place, and read `log.events({ after: 0 })` in others. */
	[Symbol.asyncIterator](): AsyncIterator<StreamEvent> {
		return {
			next: async () => {
				const next = await this.#reader.next();
				if (next.done && !this.#stop.signal.aborted) await this.result;
				return next;
			},
			return: () => {
				// of no consequence to a run that is over
				this.#stop.abort();
				return this.#reader.return();
			},
		};
	}
}
