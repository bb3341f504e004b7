import type { Embedder, EmbedOptions } from "./embedder.js";

/**
 * The direction of a text's vector, of length 1; `undefined` for a text without meaning. Rejects with what the embedder throws, and where
 * it gives anything but one vector of numbers.
 */
export async function unitVectorOf(text: string, embedder: Embedder, options: EmbedOptions): Promise<Float32Array | undefined> {
	const vectors: unknown = await embedder.embed([text], options);
	const [vector]: readonly unknown[] = Array.isArray(vectors) && vectors.length === 1 ? vectors : [];
	if (!isVector(vector)) throw new TypeError(`the embedder "${embedder.id}" gave no vector of numbers for a text`);
	const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
	return length === 0 ? undefined : Float32Array.from(vector, (value) => value / length);
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

function isVector(value: unknown): value is readonly number[] {
	return (Array.isArray(value) || value instanceof Float32Array) && value.length > 0 && value.every(Number.isFinite);
}
