/** Longer names are cut before they are compared: the comparison takes time that grows with the square of them. */
const MAX_COMPARED = 200;

/** The known names that a mistyped one may stand for, nearest first: at most a third of its letters (at least two) wrong, or one part of the other. */
export function nearestNames(name: string, known: Iterable<string>, most = 3): readonly string[] {
	const wanted = name.toLowerCase().slice(0, MAX_COMPARED);
	const allowed = Math.max(2, Math.floor(wanted.length / 3));
	return [...known]
		.map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase().slice(0, MAX_COMPARED)) }))
		.filter(({ distance }) => distance <= allowed)
		.sort((one, other) => one.distance - other.distance || (one.candidate < other.candidate ? -1 : 1))
		.slice(0, most)
		.map(({ candidate }) => candidate);
}

/** The nearest name as a question to put into an error message; empty when none is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
	const [nearest] = nearestNames(name, known, 1);
	return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

function distanceOf(wanted: string, candidate: string): number {
	const isPart = wanted.length > 2 && (candidate.includes(wanted) || (candidate.length > 2 && wanted.includes(candidate)));
	return isPart ? 1 : editDistance(wanted, candidate);
}

function editDistance(left: string, right: string): number {
	let row = Array.from({ length: right.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...left].entries()) {
		const next = [index + 1];
		for (let column = 1; column <= right.length; column++) {
			const replaced = (row[column - 1] ?? 0) + (letter === right[column - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[right.length] ?? 0;
}
