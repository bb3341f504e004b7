import type { Embedder, EmbedOptions } from "./embedder.js";

/** {@link unitVectorsOf} of one text. */
export async function unitVectorOf(text: string, embedder: Embedder, options: EmbedOptions): Promise<Float32Array | undefined> {
	const [vector] = await unitVectorsOf([text], embedder, options);
	return vector;
}

/**
 * The directions of texts' vectors, each of length 1, in the order of the texts; `undefined` for a text without meaning. Asks the embedder once.
 * Rejects with what it throws, and where it gives anything but a vector of numbers for each text.
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
	return vectors.map(toUnitLength);
}

/** The cosine of one text's vector and another's, of many others: what is 0 is looked at once. Vectors of different lengths have nothing in common. */
export function similarityTo(one: Float32Array): (other: Float32Array) => number {
	const places = Uint32Array.from(one.keys()).filter((place) => one[place] !== 0);
	return (other) => {
		if (one.length !== other.length) return 0;
		let dot = 0;
		for (const place of places) dot += (one[place] ?? 0) * (other[place] ?? 0);
		return Math.min(1, dot);
	};
}

/** In loops: a function for each of thousands of numbers takes most of the time that a text takes. */
function toUnitLength(vector: readonly number[]): Float32Array | undefined {
	let square = 0;
	for (const value of vector) square += value * value;
	if (square === 0) return undefined;
	const length = Math.sqrt(square);
	const unit = new Float32Array(vector.length);
	for (let place = 0; place < unit.length; place += 1) unit[place] = (vector[place] ?? 0) / length;
	return unit;
}

function isVector(value: unknown): value is readonly number[] {
	return (Array.isArray(value) || value instanceof Float32Array) && value.length > 0 && value.every(Number.isFinite);
}
