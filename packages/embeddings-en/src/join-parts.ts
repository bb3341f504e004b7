/** A part of a vector, and how much it has to say: the cosine of two joined vectors is the sum of the parts' cosines, each times its share. */
export interface Part {
	readonly vector: Float32Array;
	readonly share: number;
}

/** Parts side by side in one vector of length 1; all zeros where each part is. What is beyond the parts stays 0. */
export function joinParts(parts: readonly Part[], dimensions: number): Float32Array {
	const joined = new Float32Array(dimensions);
	let begin = 0;
	for (const { vector, share } of parts) {
		const length = lengthOf(vector);
		if (length > 0) joined.set(scaled(vector, Math.sqrt(share) / length), begin);
		begin += vector.length;
	}
	const length = lengthOf(joined);
	return length === 0 ? joined : scaled(joined, 1 / length);
}

/** In loops: a function for each number takes longer than all the rest. */
function lengthOf(vector: Float32Array): number {
	let square = 0;
	for (const value of vector) square += value * value;
	return Math.sqrt(square);
}

function scaled(vector: Float32Array, factor: number): Float32Array {
	const result = new Float32Array(vector.length);
	for (let place = 0; place < vector.length; place++) result[place] = (vector[place] ?? 0) * factor;
	return result;
}
