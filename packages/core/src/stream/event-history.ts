import type { StreamEvent } from "./stream-event.js";

export interface HistoryLimits {
	/** How many events are kept, at most. */
	readonly events: number;
	/** How many characters of text in them, at most, about. */
	readonly characters: number;
}

/** The last events of a log, kept for readers that come back. */
export class EventHistory {
	readonly #limits: HistoryLimits;
	#events: StreamEvent[] = [];
	#head = 0;
	#characters = 0;

	constructor(limits: HistoryLimits) {
		this.#limits = limits;
	}

	add(event: StreamEvent): void {
		if (this.#limits.events === 0) return;
		this.#events.push(event);
		this.#characters += charactersIn(event);
		while (this.#size > this.#limits.events || (this.#characters > this.#limits.characters && this.#size > 1)) this.#drop();
	}

	/** The number of the oldest event that is kept; `undefined` when none is. */
	get firstNumber(): number | undefined {
		return this.#events[this.#head]?.sequenceNumber;
	}

	/** The events behind a number, at most `most` of them. */
	after(sequenceNumber: number, most: number = Number.POSITIVE_INFINITY): StreamEvent[] {
		const from = this.#placeBehind(sequenceNumber);
		return this.#events.slice(from, from + most);
	}

	get #size(): number {
		return this.#events.length - this.#head;
	}

	#drop(): void {
		const oldest = this.#events[this.#head];
		if (oldest !== undefined) this.#characters -= charactersIn(oldest);
		this.#head += 1;
		// moved seldom, so that an event costs the same however many are kept
		if (this.#head < this.#events.length / 2) return;
		this.#events = this.#events.slice(this.#head);
		this.#head = 0;
	}

	#placeBehind(sequenceNumber: number): number {
		let low = this.#head;
		let high = this.#events.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.#events[middle]?.sequenceNumber ?? 0) > sequenceNumber) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}

/** Long texts only: everything else is small. */
function charactersIn({ data }: StreamEvent): number {
	const { delta, finalContent, result, input } = data as Readonly<Record<string, unknown>>;
	return lengthOf(delta) + lengthOf(finalContent) + lengthOf(result) + lengthOf(input);
}

const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);
