import { readDataFile } from "../data/data-file.js";
import { loadedOnce } from "../data/loaded-once.js";
import { headAndTail } from "../head-and-tail.js";
import { attention } from "./attention.js";
import { Matrices, type MatricesOptions } from "./matrices.js";
import { createTokenizer, type Vocabulary } from "./pieces.js";
import { meanOf, normalized, plus, withoutNegatives } from "./rows.js";

/** How many pieces the model was trained to read. */
const MAX_PIECES = 128;
/** So much text has more pieces than that. */
const MAX_CHARACTERS = 4_000;
const PIECE_WIDTH = 256;
const WIDTH = 512;
const MODEL: MatricesOptions = {
	file: "sentence-encoder.safetensors",
	kernel: "multiply.wasm",
	maxRows: MAX_PIECES,
	maxColumns: 1_536,
};

/** Of other letters the vocabulary has a few by chance, which say nothing of the text they are in. */
const READABLE = /[\p{Script=Latin}\p{N}]/u;

/** The direction of what a text is about; all zeros where it has no Latin letter or digit that the model knows. */
export type EncodeSentence = (text: string) => Float32Array;

/** Universal Sentence Encoder Lite, 7 MB, read when it is first asked for and shared by all embedders. */
export const loadSentenceEncoder: () => Promise<EncodeSentence> = loadedOnce(async () => {
	const [matrices, pieces] = await Promise.all([Matrices.load(MODEL), readDataFile("sentence-pieces.json")]);
	return createEncoder(matrices, JSON.parse(pieces.toString("utf8")));
});

/** Two layers of attention and of a feed-forward network, whose first also widens the pieces' vectors. */
function createEncoder(matrices: Matrices, vocabulary: Vocabulary): EncodeSentence {
	const tokenize = createTokenizer(vocabulary);
	const readable = vocabulary.map(([piece]) => READABLE.test(piece));
	const lookUp = createLookUp(matrices);
	const residual = matrices.multiplier("0.residual");
	const first = createLayer(matrices, 0);
	const second = createLayer(matrices, 1);
	const output = matrices.multiplier("output");
	return (text) => {
		const ids = headAndTailOf(tokenize(headAndTail(text, MAX_CHARACTERS)));
		if (!ids.some((id) => readable[id])) return new Float32Array(WIDTH);
		const pieces = lookUp(ids);
		const rows = second(first(pieces, residual(pieces, ids.length), ids.length), undefined, ids.length);
		return output(meanOf(rows, WIDTH), 1).map(Math.tanh);
	};
}

function headAndTailOf(ids: readonly number[]): readonly number[] {
	return ids.length <= MAX_PIECES ? ids : [...ids.slice(0, MAX_PIECES / 2), ...ids.slice(-MAX_PIECES / 2)];
}

/** Two times a piece's vector, as the model was trained, and waves that say where it stands. */
function createLookUp(matrices: Matrices): (ids: readonly number[]) => Float32Array {
	const vectors = matrices.bytes("pieces");
	const scales = matrices.floats("pieces.scales");
	const timing = matrices.floats("timing");
	return (ids) => {
		const rows = new Float32Array(ids.length * PIECE_WIDTH);
		for (const [place, id] of ids.entries()) {
			const scale = 2 * (scales[id] ?? 0);
			const row = rows.subarray(place * PIECE_WIDTH, (place + 1) * PIECE_WIDTH);
			for (let at = 0; at < PIECE_WIDTH; at++) row[at] = (vectors[id * PIECE_WIDTH + at] ?? 0) * scale;
			for (const [at, wave] of timing.entries()) {
				row[at] = (row[at] ?? 0) + Math.sin(place * wave);
				row[at + timing.length] = (row[at + timing.length] ?? 0) + Math.cos(place * wave);
			}
		}
		return rows;
	};
}

type Layer = (rows: Float32Array, residual: Float32Array | undefined, count: number) => Float32Array;

function createLayer(matrices: Matrices, layer: number): Layer {
	const floats = (name: string) => matrices.floats(`${layer}.${name}`);
	const multiplier = (name: string) => matrices.multiplier(`${layer}.${name}`);
	const [attentionScale, attentionBias] = [floats("attention-norm.scale"), floats("attention-norm.bias")];
	const [forwardScale, forwardBias] = [floats("feed-forward-norm.scale"), floats("feed-forward-norm.bias")];
	const [queryKeyValue, attentionOutput] = [multiplier("query-key-value"), multiplier("attention-output")];
	const [widen, narrow] = [multiplier("widen"), multiplier("narrow")];
	return (rows, residual = rows, count) => {
		const projected = queryKeyValue(normalized(rows, attentionScale, attentionBias), count);
		const attended = plus(attentionOutput(attention(projected, count, rows.length / count), count), residual);
		const widened = withoutNegatives(widen(normalized(attended, forwardScale, forwardBias), count));
		return plus(narrow(widened, count), attended);
	};
}
