import { loadedOnce } from "./data/loaded-once.js";
import { headAndTail } from "./head-and-tail.js";
import { joinParts } from "./join-parts.js";
import { loadSentenceEncoder } from "./sentence/sentence-encoder.js";
import type { Vectors } from "./vectors.js";
import { hashedWords } from "./words/hashed-words.js";
import { loadWordVectors } from "./words/word-vectors.js";
import { contentWords } from "./words/words.js";

const MAX_CHARACTERS = 20_000;
const HASH_DIMENSIONS = 256;
/** 868 numbers and four zeros: a multiple of 8 is what loops over vectors like. */
const DIMENSIONS = 872;
const SENTENCE_SHARE = 0.6;
const WORDS_SHARE = 0.4;
const HASH_SHARE = 0.1;

/** What a text says as a whole, what its words mean, and how they are spelt. */
export const HYBRID: Vectors = {
	id: "embeddings-en/hybrid-1",
	// by scripts/calibrate.mjs; what they are good for is in docs/matching.md
	calibration: { bias: -2.96, score: 5.22, margin: 7.11, activate: 0.6, offer: 0.1 },
	load: loadedOnce(async () => {
		const [encodeSentence, sumOfWords] = await Promise.all([loadSentenceEncoder(), loadWordVectors()]);
		return (text) => {
			const cut = headAndTail(text, MAX_CHARACTERS);
			const words = contentWords(cut);
			const parts = [
				{ vector: encodeSentence(cut), share: SENTENCE_SHARE },
				{ vector: sumOfWords(words), share: WORDS_SHARE },
				{ vector: hashedWords(words, HASH_DIMENSIONS), share: HASH_SHARE },
			];
			return joinParts(parts, DIMENSIONS);
		};
	}),
};
