/**
 * The rows with the highest scores of those above 0, best first, without sorting the others. Of equal scores the row that `isBefore` says, by default
 * the lower one, comes first. What is no number is never among them.
 */
export function bestRows(
	scores: Float32Array,
	limit: number,
	isBefore: (row: number, other: number) => boolean = (row, other) => row < other,
): readonly number[] {
	const isWorse = (one: number, other: number): boolean => {
		const [score, rival] = [scores[one] as number, scores[other] as number];
		return score < rival || (score === rival && !isBefore(one, other));
	};
	// a heap with the worst of the best on top
	const heap: number[] = [];
	let least = 0;
	for (let row = 0; row < scores.length; row += 1) {
		const score = scores[row] as number;
		if (!(score > 0 && score >= least)) continue;
		if (heap.length < limit) siftUp(heap, row, isWorse);
		else if (isWorse(heap[0] as number, row)) siftDown(heap, row, isWorse);
		if (heap.length === limit) least = scores[heap[0] as number] as number;
	}
	return heap.sort((one, other) => (isWorse(one, other) ? 1 : -1));
}

type IsWorse = (one: number, other: number) => boolean;

function siftUp(heap: number[], row: number, isWorse: IsWorse): void {
	let place = heap.length;
	while (place > 0) {
		const parent = (place - 1) >> 1;
		if (!isWorse(row, heap[parent] as number)) break;
		heap[place] = heap[parent] as number;
		place = parent;
	}
	heap[place] = row;
}

/** In place of the one on top. */
function siftDown(heap: number[], row: number, isWorse: IsWorse): void {
	let place = 0;
	for (;;) {
		let child = 2 * place + 1;
		if (child >= heap.length) break;
		if (child + 1 < heap.length && isWorse(heap[child + 1] as number, heap[child] as number)) child += 1;
		if (!isWorse(heap[child] as number, row)) break;
		heap[place] = heap[child] as number;
		place = child;
	}
	heap[place] = row;
}
