import { isObject } from "../value/frozen-copy.js";
import { Fifo } from "./fifo.js";
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
	readonly #events: Fifo<StreamEvent> = new Fifo();
	/** Of each event, so that what is taken off is what was added. */
	readonly #lengths: Fifo<number> = new Fifo();
	#characters = 0;

	constructor(limits: HistoryLimits) {
		this.#limits = limits;
	}

	/** Whether it keeps anything at all. */
	get keeps(): boolean {
		return this.#limits.events > 0;
	}

	add(event: StreamEvent): void {
		if (!this.keeps) return;
		const length = charactersIn(event.data, 0);
		this.#events.push(event);
		this.#lengths.push(length);
		this.#characters += length;
		while (this.#events.size > this.#limits.events || (this.#characters > this.#limits.characters && this.#events.size > 1)) this.#drop();
	}

	/** The number of the oldest event that is kept; `undefined` when none is. */
	get firstNumber(): number | undefined {
		return this.#events.at(0)?.sequenceNumber;
	}

	/** The events behind a number, at most `most` of them. */
	after(sequenceNumber: number, most: number = Number.POSITIVE_INFINITY): StreamEvent[] {
		return this.#events.slice(this.#placeBehind(sequenceNumber), most);
	}

	#drop(): void {
		this.#events.shift();
		this.#characters -= this.#lengths.shift() ?? 0;
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

/** As deep as a context lets data be. */
const MAX_DEPTH = 100;

function charactersIn(data: object, depth: number): number {
	let sum = 0;
	for (const key in data) {
		const value: unknown = data[key as keyof typeof data];
		if (typeof value === "string") sum += value.length;
		else if (isObject(value) && depth < MAX_DEPTH) sum += charactersIn(value, depth + 1);
	}
	return sum;
}
