/** What can stand in one list at a time. The list alone writes these. */
export interface Linked<Item> {
	before: Item | undefined;
	after: Item | undefined;
}

/**
 * A list in order, from any place of which an item can leave: a delivery is settled in any order, and given up while it waits. A `Fifo` gives its first alone.
 * Costs no object for an item, and the same however many there are.
 */
export class Links<Item extends Linked<Item>> {
	#first: Item | undefined;
	#last: Item | undefined;

	get first(): Item | undefined {
		return this.#first;
	}

	/** @param item Stands in no list. */
	push(item: Item): void {
		item.before = this.#last;
		if (this.#last === undefined) this.#first = item;
		else this.#last.after = item;
		this.#last = item;
	}

	/** @param item Stands in this list. */
	remove(item: Item): void {
		const { before, after } = item;
		if (before === undefined) this.#first = after;
		else before.after = after;
		if (after === undefined) this.#last = before;
		else after.before = before;
		item.before = undefined;
		item.after = undefined;
	}
}
