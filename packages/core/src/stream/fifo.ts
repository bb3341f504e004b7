/** Removed places are given back once there are so many of them, and as many as are left. */
const LEAST_COMPACTED = 32;

/** First in, first out: each costs the same however many wait, and what is out is held no longer. */
export class Fifo<Item> {
	#items: (Item | undefined)[];
	#head = 0;

	constructor(items: readonly Item[] = []) {
		this.#items = [...items];
	}

	get size(): number {
		return this.#items.length - this.#head;
	}

	push(item: Item): void {
		this.#items.push(item);
	}

	/** Takes the first; `undefined` when there is none. */
	shift(): Item | undefined {
		if (this.size === 0) return undefined;
		// most queues are filled and emptied by one: nothing is moved or made then
		if (this.size === 1) return this.#items.pop();
		const item = this.#items[this.#head];
		this.#items[this.#head] = undefined;
		this.#head += 1;
		if (this.#head >= LEAST_COMPACTED && this.#head >= this.size) {
			this.#items = this.#items.slice(this.#head);
			this.#head = 0;
		}
		return item;
	}

	/** The one at a place, the first at 0. */
	at(place: number): Item | undefined {
		return this.#items[this.#head + place];
	}

	/** Those from a place on, at most `most` of them. */
	slice(place: number, most: number): Item[] {
		const from = this.#head + place;
		return this.#items.slice(from, from + most) as Item[];
	}

	/** Every one, in place of those that were there. */
	replace(change: (items: readonly Item[]) => Item[]): void {
		this.#items = change(this.slice(0, this.size));
		this.#head = 0;
	}

	clear(): void {
		this.#items = [];
		this.#head = 0;
	}
}
