import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readDataFile } from "../src/data/data-file.js";
import { placeOf, tensorPlaces } from "../src/data/tensors.js";
import { Matrices } from "../src/sentence/matrices.js";
import { createTokenizer, type Tokenizer, type Vocabulary } from "../src/sentence/pieces.js";
import { loadSentenceEncoder } from "../src/sentence/sentence-encoder.js";
import { cosine } from "./cosine.js";
import { REFERENCE } from "./reference.js";

let vocabulary: Vocabulary;
let tokenize: Tokenizer;

beforeAll(async () => {
	vocabulary = JSON.parse((await readDataFile("sentence-pieces.json")).toString());
	tokenize = createTokenizer(vocabulary);
});

describe("the tokenizer", () => {
	it("gives the ids of the implementation that the model comes from", () => {
		expect(REFERENCE.length).toBeGreaterThan(30);
		expect(REFERENCE.map(({ text }) => [text, tokenize(text)])).toEqual(REFERENCE.map(({ text, ids }) => [text, ids]));
	});

	it("takes blanks, line ends and control characters for one blank, and none at the ends", () => {
		expect(tokenize(" \t two\r\n\u0000 words\n")).toEqual(tokenize("two words"));
		expect([tokenize(""), tokenize(" \n\u0000 ")]).toEqual([[], []]);
	});

	it("takes the likeliest way for every text of letters: no other cut of two pieces is likelier", () => {
		const scoreOf = new Map(vocabulary.map(([piece, score]) => [piece, score ?? 0]));
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."abdeghilmnorstuy"), minLength: 1, maxLength: 12 }), (word) => {
				const taken = tokenize(word).reduce((sum, id) => sum + (vocabulary[id]?.[1] ?? 0), 0);
				const whole = `▁${word}`;
				for (let cut = 1; cut <= whole.length; cut += 1) {
					const [head, tail] = [scoreOf.get(whole.slice(0, cut)), cut === whole.length ? 0 : scoreOf.get(whole.slice(cut))];
					if (head !== undefined && tail !== undefined) expect(taken).toBeGreaterThanOrEqual(head + tail - 1e-9);
				}
			}),
		);
	});

	it("takes the shortest last pieces of equally likely ways, as that implementation does", () => {
		const reserved = Array.from({ length: 6 }, (_, id) => [`<${id}>`, 0] as const);
		const tied = createTokenizer([...reserved, ["▁", -1], ["a", -1], ["b", -1], ["ab", -2], ["▁a", -2]]);
		expect(tied("ab")).toEqual([6, 7, 8]);
	});

	it("gives ids of the vocabulary for whatever is a string, halves of characters too", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				for (const id of [...tokenize(text), ...tokenize(text.slice(1))]) expect(vocabulary[id]).toBeDefined();
			}),
		);
	});
});

describe("the encoder", () => {
	it("points where the model with unrounded weights points, within a cosine of 0.999", async () => {
		const encode = await loadSentenceEncoder();
		const compared = REFERENCE.filter(({ vector }) => vector !== undefined);
		expect(compared).toHaveLength(7);
		for (const { text, vector = [] } of compared) expect(cosine(encode(text), vector), text).toBeGreaterThan(0.999);
	});

	it("reads the beginning and the end of what is longer than 128 pieces", async () => {
		const encode = await loadSentenceEncoder();
		const middle = (words: string) => `Make a chart of the sales. ${words.repeat(2_000)} Send it to Ada by mail.`;
		expect(encode(middle("honey "))).not.toEqual(encode("Make a chart of the sales."));
		expect(cosine(encode(`Make a chart. ${"honey ".repeat(2_000)}`), encode(`${"honey ".repeat(2_000)} Make a chart.`))).toBeLessThan(
			0.999,
		);
		const long = `${"one two ".repeat(100)}three `;
		expect(encode(`${long}four`)).not.toEqual(encode(`${long}five`));
	});

	it("knows nothing of letters that the model was not trained on", async () => {
		const encode = await loadSentenceEncoder();
		for (const text of ["", "日本の首都は？", "Привет", "مرحبا", "👍", "?!"])
			expect(
				encode(text).every((value) => value === 0),
				text,
			).toBe(true);
	});
});

describe("the kernel", () => {
	it("multiplies as the sums in plain JavaScript do, whatever the number of rows", async () => {
		const matrices = await Matrices.load({
			file: "sentence-encoder.safetensors",
			kernel: "multiply.wasm",
			maxRows: 8,
			maxColumns: 512,
		});
		const [name, inputs, outputs] = ["0.residual", 256, 512];
		const multiply = matrices.multiplier(name);
		const weights = matrices.bytes(`${name}.weights`);
		const scales = matrices.floats(`${name}.scales`);
		const bias = matrices.floats(`${name}.bias`);
		for (const rows of [1, 3, 4, 5, 8]) {
			const x = Float32Array.from({ length: rows * inputs }, (_, at) => Math.sin(at * at));
			const y = multiply(x, rows);
			expect(y).toHaveLength(rows * outputs);
			for (const at of y.keys()) {
				const [row, output] = [Math.floor(at / outputs), at % outputs];
				let sum = 0;
				for (let input = 0; input < inputs; input += 1) {
					const weight = weights[Math.floor(output / 8) * inputs * 8 + input * 8 + (output % 8)] ?? Number.NaN;
					sum += (x[row * inputs + input] ?? Number.NaN) * weight;
				}
				expect(Math.abs((y[at] ?? Number.NaN) - (bias[output] ?? 0) - sum * (scales[output] ?? 0))).toBeLessThan(1e-4);
			}
		}
	});

	it("refuses a tensor that the file does not have", async () => {
		const places = tensorPlaces(await readDataFile("word-vectors.safetensors"));
		expect(() => placeOf(places, "weights")).toThrow('have no "weights": install the package again');
		expect(placeOf(places, "vectors").begin % 4).toBe(0);
	});
});
