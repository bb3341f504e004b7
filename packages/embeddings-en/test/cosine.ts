/** NaN where one of them is all zeros. */
export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
	let [dot, leftSquare, rightSquare] = [0, 0, 0];
	for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
		const [a, b] = [left[at] ?? Number.NaN, right[at] ?? Number.NaN];
		dot += a * b;
		leftSquare += a * a;
		rightSquare += b * b;
	}
	return dot / Math.sqrt(leftSquare * rightSquare);
}
