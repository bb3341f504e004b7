import { Fifo } from "./fifo.js";
import { deltaKey, mergeRow } from "./merge-deltas.js";
import type { StreamEvent } from "./stream-event.js";

/**
 * What waits for one reader. Over its capacity the deltas of each part become one, where no other event stands between them; nothing
 * else is merged and nothing dropped, so that a reader who sleeps costs the text itself and the events that are no text.
 */
export class EventQueue {
	readonly #capacity: number;
	readonly #events: Fifo<StreamEvent> = new Fifo();
	/** How many may wait before they are merged again: what cannot be merged must not be looked at each time. */
	#threshold: number;

	constructor(capacity: number) {
		this.#capacity = capacity;
		this.#threshold = capacity;
	}

	get size(): number {
		return this.#events.size;
	}

	get isFull(): boolean {
		return this.size >= this.#capacity;
	}

	push(event: StreamEvent): void {
		this.#events.push(event);
		if (this.size <= this.#threshold) return;
		this.#events.replace(merged);
		this.#threshold = Math.max(this.#capacity, this.size * 2);
	}

	shift(): StreamEvent | undefined {
		const event = this.#events.shift();
		// what was read makes room for nothing: the next ones are merged as early as if it had never waited
		if (this.size * 4 < this.#threshold) this.#threshold = Math.max(this.#capacity, this.size * 2);
		return event;
	}

	clear(): void {
		this.#events.clear();
		this.#threshold = this.#capacity;
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
