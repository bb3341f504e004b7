import { cosine, termVector } from "../text/term-vector.js";

/** Something to choose from, with what it is good for in words. */
export interface Described {
	readonly name: string;
	readonly description?: string | undefined;
}

const THRESHOLD = 0.05;

/**
 * Those that a message seems to be about, by the words that it shares with names and descriptions. Who has no description may be about
 * anything, and stays; and where nothing fits, all stay: a tool too many costs less than one that is missing.
 */
export function relevantTo<T extends Described>(message: string, candidates: readonly T[]): readonly T[] {
	const wanted = termVector(message);
	const fitting = candidates.filter(
		({ name, description = "" }) => description.trim() !== "" && cosine(wanted, termVector(`${name} ${description}`)) >= THRESHOLD,
	);
	if (fitting.length === 0) return candidates;
	return candidates.filter((candidate) => (candidate.description ?? "").trim() === "" || fitting.includes(candidate));
}
