import { STEP } from "./dot-kernel.js";
import { NumberSpace } from "./number-space.js";

/** Vectors of one length in rows that only grow in number, and how alike a query is to all of them. Exact. */
export interface VectorTable {
	readonly dimensions: number;
	/** How many rows there are. */
	readonly size: number;
	/** Gives the row. Throws TypeError for a vector of another length. */
	add(vector: Float32Array): number;
	/** A copy of a row. */
	read(row: number): Float32Array;
	/** The dot product of the query and each row. Throws TypeError for a query of another length. */
	scores(query: Float32Array): Float32Array;
}

/** Below this share of numbers that are not 0 a vector is kept as these alone. */
const SPARSE_SHARE = 0.25;

/** A table for vectors like this one, which is not in it yet. @param rows How many are expected; there may be more. */
export function vectorTableFor(first: Float32Array, rows: number): VectorTable {
	let full = 0;
	for (const value of first) if (value !== 0) full += 1;
	return full < first.length * SPARSE_SHARE ? new SparseVectors(first.length, full * rows) : new DenseVectors(first.length, rows);
}

/** Rows that are computed with at once: their scores are written beside them. */
const BLOCK = 1_024;
const GROWTH = 1.25;

/** In one piece: the query, the scores of a block, the rows, each filled up to whole steps of the kernel. */
export class DenseVectors implements VectorTable {
	readonly dimensions: number;
	readonly #stride: number;
	readonly #firstRow: number;
	readonly #space: NumberSpace;
	#size = 0;

	/** @param host See {@link NumberSpace}. */
	constructor(dimensions: number, rows = 0, host?: unknown) {
		this.dimensions = dimensions;
		this.#stride = Math.ceil(dimensions / STEP) * STEP;
		this.#firstRow = this.#stride + BLOCK;
		this.#space = new NumberSpace(this.#placeOf(Math.ceil(rows)), host);
	}

	get size(): number {
		return this.#size;
	}

	/** Whether the kernel computes the scores. */
	get isFast(): boolean {
		return this.#space.isFast;
	}

	add(vector: Float32Array): number {
		checkLength(vector, this.dimensions);
		const row = this.#size;
		if (this.#placeOf(row + 1) > this.#space.floats.length) this.#space.grow(this.#placeOf(Math.ceil((row + 1) * GROWTH)));
		this.#space.floats.set(vector, this.#placeOf(row));
		this.#size += 1;
		return row;
	}

	read(row: number): Float32Array {
		const place = this.#placeOf(row);
		return this.#space.floats.slice(place, place + this.dimensions);
	}

	scores(query: Float32Array): Float32Array {
		checkLength(query, this.dimensions);
		const { floats } = this.#space;
		floats.set(query, 0);
		const scores = new Float32Array(this.#size);
		for (let row = 0; row < this.#size; row += BLOCK) {
			const rows = Math.min(BLOCK, this.#size - row);
			this.#space.dots(this.#placeOf(row), 0, this.#stride, rows, this.#stride);
			scores.set(floats.subarray(this.#stride, this.#stride + rows), row);
		}
		return scores;
	}

	#placeOf(row: number): number {
		return this.#firstRow + row * this.#stride;
	}
}

/** What of each row is not 0, in one piece: its places, its values, and where the rows end. */
export class SparseVectors implements VectorTable {
	readonly dimensions: number;
	#places: Uint32Array;
	#values: Float32Array;
	readonly #ends: number[] = [];

	/** @param numbers How many that are not 0 are expected in all. */
	constructor(dimensions: number, numbers = 0) {
		this.dimensions = dimensions;
		this.#places = new Uint32Array(numbers);
		this.#values = new Float32Array(numbers);
	}

	get size(): number {
		return this.#ends.length;
	}

	add(vector: Float32Array): number {
		checkLength(vector, this.dimensions);
		let end = this.#ends.at(-1) ?? 0;
		for (let place = 0; place < vector.length; place += 1) {
			const value = vector[place] as number;
			if (value === 0) continue;
			if (end === this.#values.length) this.#grow();
			this.#places[end] = place;
			this.#values[end] = value;
			end += 1;
		}
		return this.#ends.push(end) - 1;
	}

	read(row: number): Float32Array {
		const vector = new Float32Array(this.dimensions);
		for (let at = this.#ends[row - 1] ?? 0; at < (this.#ends[row] ?? 0); at += 1) {
			vector[this.#places[at] as number] = this.#values[at] as number;
		}
		return vector;
	}

	scores(query: Float32Array): Float32Array {
		checkLength(query, this.dimensions);
		const [places, values, ends] = [this.#places, this.#values, this.#ends];
		const scores = new Float32Array(ends.length);
		for (let row = 0, at = 0; row < scores.length; row += 1) {
			let sum = 0;
			for (const end = ends[row] as number; at < end; at += 1) sum += (values[at] as number) * (query[places[at] as number] as number);
			scores[row] = sum;
		}
		return scores;
	}

	#grow(): void {
		const length = Math.ceil(this.#values.length * GROWTH) + BLOCK;
		const [places, values] = [new Uint32Array(length), new Float32Array(length)];
		places.set(this.#places);
		values.set(this.#values);
		this.#places = places;
		this.#values = values;
	}
}

function checkLength(vector: Float32Array, dimensions: number): void {
	if (vector.length === dimensions) return;
	throw new TypeError(`a vector has ${vector.length} numbers, and those it is compared with have ${dimensions}`);
}
