import { loadedOnce } from "./data/loaded-once.js";
import { headAndTail } from "./head-and-tail.js";
import { joinParts } from "./join-parts.js";
import type { Vectors } from "./vectors.js";
import { hashedWords } from "./words/hashed-words.js";
import { loadWordVectors, WORD_DIMENSIONS } from "./words/word-vectors.js";
import { contentWords } from "./words/words.js";

const MAX_CHARACTERS = 20_000;
const HASH_DIMENSIONS = 412;
const WORDS_SHARE = 0.65;
const HASH_SHARE = 0.35;

/** What a text's words mean, each for itself, and how they are spelt. 512 numbers. */
export const LIGHT: Vectors = {
	id: "embeddings-en/light-1",
	// by scripts/calibrate.mjs; what they are good for is in docs/matching.md
	calibration: { bias: -3.05, score: 3.87, margin: 9.26, activate: 0.6, offer: 0.05 },
	load: loadedOnce(async () => {
		const sumOfWords = await loadWordVectors();
		return (text) => {
			const words = contentWords(headAndTail(text, MAX_CHARACTERS));
			const parts = [
				{ vector: sumOfWords(words), share: WORDS_SHARE },
				{ vector: hashedWords(words, HASH_DIMENSIONS), share: HASH_SHARE },
			];
			return joinParts(parts, WORD_DIMENSIONS + HASH_DIMENSIONS);
		};
	}),
};
