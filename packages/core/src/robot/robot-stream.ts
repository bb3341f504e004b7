import type { RobotResult } from "../message/robot-result.js";
import type { RobotEvent } from "./robot-event.js";

/**
 * A run that is watched: iterate it for its events, await `result` for its outcome. Both may be used, or either.
 * Leaving the iteration early aborts the run. A run that fails throws from the iteration and rejects `result`.
 */
export class RobotStream implements AsyncIterable<RobotEvent> {
	readonly result: Promise<RobotResult>;
	readonly #events: RobotEvent[] = [];
	readonly #stop = new AbortController();
	#ended = false;
	#wake: (() => void) | undefined;

	/** @param start begins the run with a listener and the signal that ends it */
	constructor(start: (onEvent: (event: RobotEvent) => void, signal: AbortSignal) => Promise<RobotResult>) {
		this.result = start((event) => this.#push(event), this.#stop.signal);
		const end = (): void => {
			this.#ended = true;
			this.#wake?.();
		};
		// whoever only iterates must not be told of an unhandled rejection
		this.result.then(end, end);
	}

	async *[Symbol.asyncIterator](): AsyncIterator<RobotEvent> {
		try {
			for (;;) {
				for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event;
				if (this.#ended) break;
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
			}
			await this.result;
		} finally {
			if (!this.#ended) this.#stop.abort();
		}
	}

	#push(event: RobotEvent): void {
		this.#events.push(event);
		this.#wake?.();
	}
}
