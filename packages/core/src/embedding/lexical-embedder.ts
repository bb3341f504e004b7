import { headAndTail } from "../text/head-and-tail.js";
import { isUnspaced } from "../text/unspaced-scripts.js";
import { contentWords, stemOf } from "../text/words.js";
import type { Embedder } from "./embedder.js";
import { haveSameWording } from "./same-wording.js";
import { toUnitLength } from "./unit-vector.js";

const DIMENSIONS = 4_096;
const WORD_WEIGHT = 2;
const GRAM_LENGTHS = [3, 4, 5] as const;
const PAIRS = [2] as const;
const MAX_CHARACTERS = 20_000;

/**
 * An embedder without a model: the words of a text (stemmed, without stop words) and the letters they are made of, hashed into one
 * vector. It knows no synonyms, it needs no download, and equal texts give equal vectors everywhere.
 */
export function lexicalEmbedder(): Embedder {
	return {
		id: "lexical-v2",
		// chosen on the first half of the labelled messages that docs/matching.md describes; with more than its 44 skills the margins shrink
		calibration: { bias: -3.2, score: 7.1, margin: 3.2, activate: 0.5, offer: 0.03 },
		// without order and stop words, "before 10" is "after 10" to its vectors
		saysSame: haveSameWording,
		embed: async (texts) => texts.map(embedText),
	};
}

function embedText(text: string): Float32Array {
	const vector = new Float32Array(DIMENSIONS);
	for (const word of contentWords(headAndTail(text, MAX_CHARACTERS))) {
		add(vector, `w:${stemOf(word)}`, WORD_WEIGHT);
		// what is one word without spaces may be a whole sentence: its pairs of letters are nearest to words
		if (isUnspaced(word)) addGrams(vector, word, PAIRS);
		else addGrams(vector, ` ${word} `, GRAM_LENGTHS);
	}
	return toUnitLength(vector) ?? vector;
}

/** Parts of a word count less the longer it is, so that a long word does not outweigh a short one. */
function addGrams(vector: Float32Array, letters: string, lengths: readonly number[]): void {
	const weight = 1 / Math.sqrt(letters.length);
	for (const length of lengths) {
		for (let start = 0; start + length <= letters.length; start++) add(vector, letters.slice(start, start + length), weight);
	}
}

/** The hash chooses the place and the sign, so that two features that share a place cancel out as often as they add up. */
function add(vector: Float32Array, feature: string, weight: number): void {
	const hash = hashOf(feature);
	const place = hash % DIMENSIONS;
	vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -weight : weight);
}

/** FNV-1a with a final mixing, as an unsigned 32-bit number. */
function hashOf(text: string): number {
	let hash = 0x811c_9dc5;
	for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
	hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
	return (hash ^ (hash >>> 13)) >>> 0;
}
