import { readDataFile } from "../data/data-file.js";
import { loadedOnce } from "../data/loaded-once.js";
import { placeOf, tensorPlaces } from "../data/tensors.js";

export const WORD_DIMENSIONS = 100;

/** The sum of the vectors of those words that have one. */
export type SumOfWords = (words: readonly string[]) => Float32Array;

/** 60,000 English words, 7 MB, read when they are first asked for and shared by all embedders. */
export const loadWordVectors: () => Promise<SumOfWords> = loadedOnce(async () => {
	const [list, file] = await Promise.all([readDataFile("words.txt"), readDataFile("word-vectors.safetensors")]);
	const sorted = list.toString("latin1").split("\n");
	const places = tensorPlaces(file);
	const vectors = placeOf(places, "vectors");
	const scales = placeOf(places, "scales");
	const bytes = new Int8Array(file.buffer, file.byteOffset + vectors.begin, vectors.end - vectors.begin);
	const scaleOf = new Float32Array(file.buffer.slice(file.byteOffset + scales.begin, file.byteOffset + scales.end));
	return (words) => {
		const sum = new Float32Array(WORD_DIMENSIONS);
		for (const word of words) {
			const row = rowOf(word, sorted);
			if (row === undefined) continue;
			const scale = scaleOf[row] ?? 0;
			const at = row * WORD_DIMENSIONS;
			for (let place = 0; place < WORD_DIMENSIONS; place++) sum[place] = (sum[place] ?? 0) + (bytes[at + place] ?? 0) * scale;
		}
		return sum;
	};
});

/** By halving: a map of all words would take more time to make than all else that is loaded with them. */
function rowOf(word: string, sorted: readonly string[]): number | undefined {
	let [from, to] = [0, sorted.length];
	while (from < to) {
		const middle = (from + to) >>> 1;
		if ((sorted[middle] ?? "") < word) from = middle + 1;
		else to = middle;
	}
	return sorted[from] === word ? from : undefined;
}
