import { MeasuredEvents } from "./measured-events.js";
import type { StreamEvent } from "./stream-event.js";

/** How much a history keeps. */
export interface HistoryLimits {
	/** How many events are kept, at most. 0: none. */
	readonly events: number;
	/** How many characters of text in them, at most; the newest is kept whatever its length. */
	readonly characters: number;
}

/** The last events of a log, kept for readers that come back. */
export class EventHistory {
	readonly #limits: HistoryLimits;
	readonly #events = new MeasuredEvents();

	constructor(limits: HistoryLimits) {
		this.#limits = limits;
	}

	/** How many events it keeps, at most. */
	get limit(): number {
		return this.#limits.events;
	}

	/** @param characters Those of all its texts. */
	add(event: StreamEvent, characters: number): void {
		if (this.limit === 0) return;
		this.#events.push(event, characters);
		while (this.#events.size > this.limit || (this.#events.characters > this.#limits.characters && this.#events.size > 1))
			this.#events.shift();
	}

	/** The number of the oldest event that is kept; `undefined` when none is. */
	get firstNumber(): number | undefined {
		return this.#events.at(0)?.sequenceNumber;
	}

	/** The events behind a number, at most `most` of them. */
	after(sequenceNumber: number, most: number = Number.POSITIVE_INFINITY): StreamEvent[] {
		return this.#events.slice(this.#placeBehind(sequenceNumber), most);
	}

	#placeBehind(sequenceNumber: number): number {
		let low = 0;
		let high = this.#events.size;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.#events.at(middle)?.sequenceNumber ?? 0) > sequenceNumber) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}
