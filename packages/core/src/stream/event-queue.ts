import { MeasuredEvents } from "./measured-events.js";
import { deltaKey, mergeRow } from "./merge-deltas.js";
import type { StreamEvent } from "./stream-event.js";

/** How much may wait for a reader. */
export interface QueueLimits {
	/** How many events may wait before those that can be are merged. */
	readonly capacity: number;
	/** How many characters of text may wait in them, the longest event not counted. */
	readonly characters: number;
}

/** Of how many events, whatever its capacity, a queue is too full only when they cannot be merged. */
const LEAST_EVENTS = 16 * 1024;

/**
 * What waits for one reader. Over its capacity the deltas of each part become one, where no other event stands between them; nothing
 * else is merged and nothing dropped. So a reader who sleeps costs the text itself and the events that are no text, until it says that
 * there is too much of either.
 */
export class EventQueue {
	readonly #capacity: number;
	readonly #maxEvents: number;
	readonly #maxCharacters: number;
	readonly #events = new MeasuredEvents();
	/** The characters of the longest event that came since nothing waited. What is merged is no event that came. */
	#longest = 0;
	/** How many may wait before they are merged again: what cannot be merged must not be looked at each time. */
	#threshold: number;

	constructor({ capacity, characters }: QueueLimits) {
		this.#capacity = capacity;
		this.#maxEvents = Math.max(LEAST_EVENTS, 16 * capacity);
		this.#maxCharacters = characters;
		this.#threshold = capacity;
	}

	get size(): number {
		return this.#events.size;
	}

	get isFull(): boolean {
		return this.size >= this.#capacity;
	}

	/**
	 * Whether it had room for one more: when not, it is there all the same, and no other may come.
	 *
	 * @param characters Those of all its texts.
	 */
	push(event: StreamEvent, characters: number): boolean {
		this.#events.push(event, characters);
		this.#longest = Math.max(this.#longest, characters);
		if (this.size <= this.#threshold && !this.#isTooLong) return true;
		this.#events.replace(merged);
		this.#threshold = Math.max(this.#capacity, this.size * 2);
		return this.size <= this.#maxEvents && !this.#isTooLong;
	}

	shift(): StreamEvent | undefined {
		const event = this.#events.shift();
		if (this.size === 0) this.#longest = 0;
		// what was read makes room for nothing: the next ones are merged as early as if it had never waited
		if (this.size * 4 < this.#threshold) this.#threshold = Math.max(this.#capacity, this.size * 2);
		return event;
	}

	clear(): void {
		this.#events.clear();
		this.#threshold = this.#capacity;
		this.#longest = 0;
	}

	/** Not for one event, however long: within a turn it may come with others, and no reader is that fast. */
	get #isTooLong(): boolean {
		return this.#events.characters - this.#longest > this.#maxCharacters;
	}
}

/** The events with the deltas of each part joined at the place of the last of them, as far as only other deltas stand between. */
function merged(events: readonly StreamEvent[]): StreamEvent[] {
	const kept: StreamEvent[] = [];
	/** By key, that which grew last at the end. */
	const rows = new Map<string, [StreamEvent, ...StreamEvent[]]>();
	const keepRows = (): void => {
		for (const row of rows.values()) kept.push(mergeRow(row));
		rows.clear();
	};
	for (const event of events) {
		const key = deltaKey(event);
		if (key === undefined) {
			keepRows();
			kept.push(event);
			continue;
		}
		const row = rows.get(key);
		row?.push(event);
		rows.delete(key);
		rows.set(key, row ?? [event]);
	}
	keepRows();
	return kept;
}
