/** The known name that a mistyped one most likely stands for: at most a third of its letters (at least one) wrong. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
	const wanted = name.toLowerCase().slice(0, 100);
	let nearest: string | undefined;
	let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
	for (const candidate of known) {
		const distance = editDistance(wanted, candidate.toLowerCase());
		if (distance < fewest) {
			fewest = distance;
			nearest = candidate;
		}
	}
	return nearest;
}

function editDistance(left: string, right: string): number {
	let row = Array.from({ length: right.length + 1 }, (_, index) => index);
	for (let i = 1; i <= left.length; i++) {
		const next = [i];
		for (let j = 1; j <= right.length; j++) {
			const replace = at(row, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
			next.push(Math.min(replace, at(row, j) + 1, at(next, j - 1) + 1));
		}
		row = next;
	}
	return at(row, right.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
