import type { Embedder, EmbedOptions } from "./embedder.js";

/** {@link unitVectorsOf} of one text. */
export async function unitVectorOf(text: string, embedder: Embedder, options: EmbedOptions): Promise<Float32Array | undefined> {
	const [vector] = await unitVectorsOf([text], embedder, options);
	return vector;
}

/**
 * The directions of texts' vectors, each of length 1, in the order of the texts; `undefined` for a text without meaning. Asks the embedder once.
 * Rejects with what it throws, and where it gives anything but a vector of numbers for each text, all of one length.
 */
export async function unitVectorsOf(
	texts: readonly string[],
	embedder: Embedder,
	options: EmbedOptions,
): Promise<readonly (Float32Array | undefined)[]> {
	const vectors: unknown = await embedder.embed(texts, options);
	if (!Array.isArray(vectors) || vectors.length !== texts.length || !vectors.every(isVector)) {
		const wanted =
			texts.length === 1 ? "no vector of numbers for a text" : `no list of ${texts.length} vectors of numbers for as many texts`;
		throw new TypeError(`the embedder "${embedder.id}" gave ${wanted}`);
	}
	const lengths = new Set(vectors.map(({ length }) => length));
	if (lengths.size > 1) throw new TypeError(`the embedder "${embedder.id}" gave vectors of different lengths: ${[...lengths].join(", ")}`);
	return vectors.map(toUnitLength);
}

/**
 * The direction of a vector of finite numbers; `undefined` where it has none. In loops: a function for each of thousands of numbers takes most of the
 * time that a text takes.
 */
export function toUnitLength(vector: ArrayLike<number>): Float32Array | undefined {
	let square = 0;
	let largest = 0;
	for (let place = 0; place < vector.length; place += 1) {
		const value = vector[place] as number;
		square += value * value;
		largest = Math.max(largest, Math.abs(value));
	}
	if (largest === 0) return undefined;
	// numbers like 1e200 and 1e-200 have no squares
	const scale = square > 1e-30 && square < 1e30 ? 1 : largest;
	const length = scale === 1 ? Math.sqrt(square) : scaledLength(vector, scale);
	const unit = new Float32Array(vector.length);
	for (let place = 0; place < unit.length; place += 1) unit[place] = (vector[place] as number) / scale / length;
	return unit;
}

function scaledLength(vector: ArrayLike<number>, scale: number): number {
	let square = 0;
	for (let place = 0; place < vector.length; place += 1) square += ((vector[place] as number) / scale) ** 2;
	return Math.sqrt(square);
}

function isVector(value: unknown): value is readonly number[] {
	return (Array.isArray(value) || value instanceof Float32Array) && value.length > 0 && value.every(Number.isFinite);
}
