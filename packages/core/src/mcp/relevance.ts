import { headAndTail } from "../text/head-and-tail.js";
import { contentWords, stemOf } from "../text/words.js";

/** Something to choose from, with what it is good for in words. */
export interface Described {
	readonly name: string;
	readonly description?: string | undefined;
}

const MAX_CHARACTERS = 20_000;
const THRESHOLD = 0.05;

/**
 * Those that a message seems to be about, by the words that it shares with names and descriptions. Who has no description may be about
 * anything, and stays; and where nothing fits, all stay: a tool too many costs less than one that is missing.
 */
export function relevantTo<T extends Described>(message: string, candidates: readonly T[]): readonly T[] {
	const wanted = wordCounts(message);
	const fitting = candidates.filter(
		({ name, description = "" }) => description.trim() !== "" && similarity(wanted, wordCounts(`${name} ${description}`)) >= THRESHOLD,
	);
	if (fitting.length === 0) return candidates;
	return candidates.filter((candidate) => (candidate.description ?? "").trim() === "" || fitting.includes(candidate));
}

function wordCounts(text: string): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const word of contentWords(headAndTail(text, MAX_CHARACTERS)).map(stemOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

/** The cosine of the angle between two counts of words: 0 for no word in common, 1 for the same words as often. */
function similarity(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
	let product = 0;
	for (const [word, count] of one) product += count * (other.get(word) ?? 0);
	return product === 0 ? 0 : product / (lengthOf(one) * lengthOf(other));
}

const lengthOf = (counts: ReadonlyMap<string, number>): number => Math.hypot(...counts.values());
