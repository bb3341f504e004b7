import type { RobotResult } from "../message/robot-result.js";
import type { EventLog } from "../stream/event-log.js";
import type { EventReader, ReaderOptions } from "../stream/event-reader.js";
import type { StreamEvent } from "../stream/stream-event.js";

/**
 * A run that is watched: iterate it for its events, await `result` for its outcome. Both may be used, or either.
 * Leaving the iteration early aborts the run. A run that fails throws from the iteration, behind its last event, and rejects `result`.
 */
export class RobotStream implements AsyncIterable<StreamEvent> {
	readonly result: Promise<RobotResult>;
	/** Everything the run publishes: for further readers, for a file, for clients. */
	readonly log: EventLog;
	readonly #reader: EventReader;
	readonly #stop = new AbortController();
	#settled = false;

	/** @param start Begins the run, with the signal that ends it. */
	constructor(log: EventLog, options: ReaderOptions, start: (signal: AbortSignal) => Promise<RobotResult>) {
		this.log = log;
		this.#reader = log.events(options);
		this.result = start(this.#stop.signal);
		const settle = (): void => {
			this.#settled = true;
			this.#reader.end();
		};
		// whoever only iterates must not be told of an unhandled rejection
		this.result.then(settle, settle);
	}

	/** Each event once, from the first: iterate it in one place, and read `log.events({ after: 0 })` in others. */
	async *[Symbol.asyncIterator](): AsyncIterator<StreamEvent> {
		let isLeft = true;
		try {
			for await (const event of this.#reader) yield event;
			await this.result;
			isLeft = false;
		} catch (error) {
			// the reader's own failure ends the reading, never the run
			isLeft = false;
			throw error;
		} finally {
			if (isLeft && !this.#settled) this.#stop.abort();
		}
	}
}
