/** The id of what no piece of the vocabulary says. */
const UNKNOWN = 0;
/** The first ids stand for the beginning, the end and the like, never for text. */
const RESERVED = 6;
const LONGEST_PIECE = 16;
const BLANK = "▁";

/** A piece of text and the logarithm of how likely it is, in the order of the ids. Those with a colon have lost theirs and count as 0. */
export type Vocabulary = readonly (readonly [piece: string, score: number | null])[];

/** Takes a text apart into the ids of its pieces. */
export type Tokenizer = (text: string) => number[];

/**
 * The tokenizer of SentencePiece's unigram model: of all ways to take a text apart the likeliest, of equally likely ones the one whose last pieces
 * are shortest. Neighbours that are unknown are one.
 */
export function createTokenizer(vocabulary: Vocabulary): Tokenizer {
	const ids = new Map(vocabulary.slice(RESERVED).map(([piece], index) => [piece, index + RESERVED]));
	const scores = Float64Array.from(vocabulary, ([, score]) => score ?? 0);
	return (text) => {
		const symbols = Array.from(inOneForm(text));
		const best = new Float64Array(symbols.length + 1).fill(Number.NEGATIVE_INFINITY);
		const begins = new Uint32Array(symbols.length + 1);
		const pieces = new Uint32Array(symbols.length + 1);
		best[0] = 0;
		for (let begin = 0; begin < symbols.length; begin++) {
			const before = best[begin] ?? 0;
			let known = false;
			const take = (end: number, id: number, score: number): void => {
				if (before + score < (best[end] ?? 0)) return;
				best[end] = before + score;
				begins[end] = begin;
				pieces[end] = id;
			};
			let piece = "";
			for (let end = begin + 1; end <= Math.min(symbols.length, begin + LONGEST_PIECE); end++) {
				piece += symbols[end - 1];
				const id = ids.get(piece);
				if (id === undefined) continue;
				known = true;
				take(end, id, scores[id] ?? 0);
			}
			if (!known) take(begin + 1, UNKNOWN, 0);
		}
		return fromTheEnd(pieces, begins);
	};
}

function fromTheEnd(pieces: Uint32Array, begins: Uint32Array): number[] {
	const backwards: number[] = [];
	for (let end = pieces.length - 1; end > 0; end = begins[end] ?? 0) {
		const id = pieces[end] ?? UNKNOWN;
		if (id !== UNKNOWN || backwards.at(-1) !== UNKNOWN) backwards.push(id);
	}
	return backwards.reverse();
}

/** As SentencePiece does before it takes a text apart: blanks of all kinds and what is no character are one blank each run. */
function inOneForm(text: string): string {
	const plain = text
		.normalize("NFKC")
		.replaceAll(/[\s\p{Cc}]+/gu, " ")
		.trim();
	return plain === "" ? "" : BLANK + plain.replaceAll(" ", BLANK);
}
