import { isObject } from "../value/frozen-copy.js";
import { Fifo } from "./fifo.js";
import type { StreamEvent } from "./stream-event.js";

/** Events that are held, and how many characters of text are in them: first in, first out. */
export class MeasuredEvents {
	readonly #events: Fifo<StreamEvent> = new Fifo();
	/** Of each event, so that what is taken off is what was added, though somebody changed a hand-made one since. */
	readonly #lengths: Fifo<number> = new Fifo();
	#characters = 0;

	get size(): number {
		return this.#events.size;
	}

	get characters(): number {
		return this.#characters;
	}

	push(event: StreamEvent, characters: number): void {
		this.#events.push(event);
		this.#lengths.push(characters);
		this.#characters += characters;
	}

	/** Takes the first; `undefined` when there is none. */
	shift(): StreamEvent | undefined {
		this.#characters -= this.#lengths.shift() ?? 0;
		return this.#events.shift();
	}

	/** The one at a place, the first at 0. */
	at(place: number): StreamEvent | undefined {
		return this.#events.at(place);
	}

	/** Those from a place on, at most `most` of them. */
	slice(place: number, most: number): StreamEvent[] {
		return this.#events.slice(place, most);
	}

	/** Every one, in place of those that were there. */
	replace(change: (events: readonly StreamEvent[]) => StreamEvent[]): void {
		const events = change(this.#events.slice(0, this.size));
		this.clear();
		for (const event of events) this.push(event, charactersOf(event));
	}

	clear(): void {
		this.#events.clear();
		this.#lengths.clear();
		this.#characters = 0;
	}
}

/** The characters of all texts in an event's data. */
export const charactersOf = (event: StreamEvent): number => charactersIn(event.data, 0);

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
