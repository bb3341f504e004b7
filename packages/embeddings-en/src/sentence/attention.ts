const HEADS = 4;

/** Each row gathers what it attends to in all rows. `rows` has for each row its query, its key and its value, `width` numbers each. */
export function attention(rows: Float32Array, count: number, width: number): Float32Array {
	const size = width / HEADS;
	const scale = 1 / Math.sqrt(size);
	const stride = 3 * width;
	const gathered = new Float32Array(count * width);
	const weights = new Float32Array(count);
	for (let head = 0; head < HEADS; head++) {
		for (let row = 0; row < count; row++) {
			const query = row * stride + head * size;
			for (let other = 0; other < count; other++) {
				const key = other * stride + width + head * size;
				let dot = 0;
				for (let at = 0; at < size; at++) dot += (rows[query + at] ?? 0) * (rows[key + at] ?? 0);
				weights[other] = dot * scale;
			}
			softmax(weights);
			const to = row * width + head * size;
			for (let other = 0; other < count; other++) {
				const value = other * stride + 2 * width + head * size;
				const weight = weights[other] ?? 0;
				for (let at = 0; at < size; at++) gathered[to + at] = (gathered[to + at] ?? 0) + weight * (rows[value + at] ?? 0);
			}
		}
	}
	return gathered;
}

function softmax(weights: Float32Array): void {
	let largest = Number.NEGATIVE_INFINITY;
	for (const weight of weights) largest = Math.max(largest, weight);
	let sum = 0;
	for (let at = 0; at < weights.length; at++) {
		const power = Math.exp((weights[at] ?? 0) - largest);
		weights[at] = power;
		sum += power;
	}
	for (let at = 0; at < weights.length; at++) weights[at] = (weights[at] ?? 0) / sum;
}
