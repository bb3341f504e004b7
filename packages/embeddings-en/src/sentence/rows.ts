const EPSILON = 1e-6;

/** Each row with the mean 0 and the deviation 1, then scaled and moved. */
export function normalized(rows: Float32Array, scale: Float32Array, bias: Float32Array): Float32Array {
	const width = scale.length;
	const result = new Float32Array(rows.length);
	for (let begin = 0; begin < rows.length; begin += width) {
		let mean = 0;
		for (let at = 0; at < width; at++) mean += (rows[begin + at] ?? 0) / width;
		let variance = 0;
		for (let at = 0; at < width; at++) variance += ((rows[begin + at] ?? 0) - mean) ** 2 / width;
		const factor = 1 / Math.sqrt(variance + EPSILON);
		for (let at = 0; at < width; at++) {
			result[begin + at] = ((rows[begin + at] ?? 0) - mean) * factor * (scale[at] ?? 0) + (bias[at] ?? 0);
		}
	}
	return result;
}

/** What is below 0 becomes 0, in place. */
export function withoutNegatives(rows: Float32Array): Float32Array {
	for (let at = 0; at < rows.length; at++) if ((rows[at] ?? 0) < 0) rows[at] = 0;
	return rows;
}

/** Adds `more` to `rows`, in place. */
export function plus(rows: Float32Array, more: Float32Array): Float32Array {
	for (let at = 0; at < rows.length; at++) rows[at] = (rows[at] ?? 0) + (more[at] ?? 0);
	return rows;
}

/** The mean of all rows. */
export function meanOf(rows: Float32Array, width: number): Float32Array {
	const mean = new Float32Array(width);
	const count = rows.length / width;
	for (let at = 0; at < rows.length; at++) mean[at % width] = (mean[at % width] ?? 0) + (rows[at] ?? 0) / count;
	return mean;
}
