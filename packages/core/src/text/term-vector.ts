import { headAndTail } from "./head-and-tail.js";
import { isUnspaced } from "./unspaced-scripts.js";
import { contentWords, stemOf } from "./words.js";

/** How much each term counts in a text. Empty for a text without words that mean something. */
export type TermVector = ReadonlyMap<string, number>;

const MAX_CHARACTERS = 20_000;

/**
 * How often a text has each of its words, as stems and without stop words; of scripts without spaces each pair of neighbouring letters. Of a text
 * longer than 20,000 characters its first and its last 10,000 count.
 */
export function termVector(text: string): TermVector {
	const counts = new Map<string, number>();
	for (const word of contentWords(headAndTail(text, MAX_CHARACTERS))) {
		for (const term of termsOf(word)) counts.set(term, (counts.get(term) ?? 0) + 1);
	}
	return counts;
}

function termsOf(word: string): readonly string[] {
	if (!isUnspaced(word)) return [stemOf(word)];
	const letters = [...word];
	return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

/** The cosine of the angle between two vectors: 0 for no term in common, 1 for the same terms in the same proportions. */
export function cosine(one: TermVector, other: TermVector): number {
	let product = 0;
	for (const [term, weight] of one) product += weight * (other.get(term) ?? 0);
	// one root of the product, and not a product of roots, is exact where both are the same
	return product === 0 ? 0 : Math.min(1, product / Math.sqrt(squareOf(one) * squareOf(other)));
}

/** The direction in which the vectors point together, each counting the same however long its text is. Empty where all are. */
export function meanDirection(vectors: readonly TermVector[]): TermVector {
	const sum = new Map<string, number>();
	for (const vector of vectors) {
		const length = Math.sqrt(squareOf(vector));
		for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight / length);
	}
	return sum;
}

function squareOf(vector: TermVector): number {
	let square = 0;
	for (const weight of vector.values()) square += weight * weight;
	return square;
}
