import { bestRows } from "./best-rows.js";
import { type VectorTable, vectorTableFor } from "./vector-table.js";

/** An item whose vector is like a query's. */
export interface NearestItem<Item> {
	readonly item: Item;
	/** Their cosine: above 0, to 1. */
	readonly score: number;
}

/** Rows that were given up stay where they are until they are more than the others, and more than these. */
const FEW = 64;

/** Items found by their vectors, each of length 1. Vectors with different numbers of dimensions have nothing in common. */
export class VectorSet<Item> {
	readonly #groups: Map<number, Group<Item>> = new Map();
	readonly #groupOf: Map<Item, Group<Item>> = new Map();

	/** Adds an item, or adds it anew, last. */
	add(item: Item, vector: Float32Array): void {
		this.delete(item);
		const group = this.#groups.get(vector.length) ?? new Group<Item>(vectorTableFor(vector, 1));
		this.#groups.set(vector.length, group);
		group.add(item, vector);
		this.#groupOf.set(item, group);
	}

	delete(item: Item): void {
		const group = this.#groupOf.get(item);
		if (group === undefined) return;
		this.#groupOf.delete(item);
		group.delete(item);
		if (group.rows.size === 0) this.#groups.delete(group.table.dimensions);
	}

	clear(): void {
		this.#groups.clear();
		this.#groupOf.clear();
	}

	/** The items most like the query, best first, of equally good ones what was added first. */
	nearest(query: Float32Array, options: { readonly limit: number; readonly minScore: number }): readonly NearestItem<Item>[] {
		return this.#groups.get(query.length)?.nearest(query, options) ?? [];
	}
}

/** Those whose vectors have one number of dimensions. */
class Group<Item> {
	table: VectorTable;
	rows: Map<Item, number> = new Map();
	#items: (Item | undefined)[] = [];

	constructor(table: VectorTable) {
		this.table = table;
	}

	add(item: Item, vector: Float32Array): void {
		this.rows.set(item, this.table.add(vector));
		this.#items.push(item);
	}

	delete(item: Item): void {
		this.#items[this.rows.get(item) as number] = undefined;
		this.rows.delete(item);
		const givenUp = this.#items.length - this.rows.size;
		if (givenUp > FEW && givenUp > this.rows.size) this.#compact();
	}

	nearest(query: Float32Array, { limit, minScore }: { readonly limit: number; readonly minScore: number }): readonly NearestItem<Item>[] {
		const scores = this.table.scores(query);
		for (const [row, item] of this.#items.entries()) if (item === undefined || (scores[row] as number) < minScore) scores[row] = 0;
		return bestRows(scores, limit).map((row) => ({ item: this.#items[row] as Item, score: Math.min(1, scores[row] as number) }));
	}

	#compact(): void {
		const [earlier, rows] = [this.table, [...this.rows]];
		this.#items = [];
		this.rows = new Map();
		for (const [index, [item, row]] of rows.entries()) {
			const vector = earlier.read(row);
			if (index === 0) this.table = vectorTableFor(vector, rows.length);
			this.add(item, vector);
		}
	}
}
