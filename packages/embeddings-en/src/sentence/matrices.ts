import { placeOf, type TensorPlaces } from "../data/tensors.js";
import { webAssembly } from "./web-assembly.js";

/** Rows that the kernel takes at a time. */
const GROUP = 4;
const PAGE_BYTES = 65_536;
const FLOAT_BYTES = 4;

type Multiply = (
	x: number,
	rows: number,
	inputs: number,
	outputs: number,
	weights: number,
	scales: number,
	bias: number,
	y: number,
) => void;

/** The matrices of a file, in a memory that the kernel works in, with room for `maxRows` rows of `maxColumns` numbers going in and out. */
export class Matrices {
	readonly #memory: ArrayBuffer;
	readonly #places: TensorPlaces;
	readonly #multiply: Multiply;
	readonly #in: Float32Array;
	readonly #out: Float32Array;

	constructor(options: {
		readonly file: Uint8Array;
		readonly places: TensorPlaces;
		readonly kernel: Uint8Array;
		readonly maxRows: number;
		readonly maxColumns: number;
	}) {
		const { file, places, kernel, maxColumns } = options;
		const numbers = Math.ceil(options.maxRows / GROUP) * GROUP * maxColumns;
		const start = Math.ceil(file.length / 16) * 16;
		const memory = new webAssembly.Memory({ initial: Math.ceil((start + 2 * numbers * FLOAT_BYTES) / PAGE_BYTES) });
		const instance = new webAssembly.Instance(new webAssembly.Module(kernel), { host: { memory } });
		new Uint8Array(memory.buffer).set(file);
		this.#memory = memory.buffer;
		this.#places = places;
		this.#multiply = instance.exports.multiply as Multiply;
		this.#in = new Float32Array(memory.buffer, start, numbers);
		this.#out = new Float32Array(memory.buffer, start + numbers * FLOAT_BYTES, numbers);
	}

	/** The floats of a tensor. */
	floats(name: string): Float32Array {
		const { begin, end } = placeOf(this.#places, name);
		return new Float32Array(this.#memory, begin, (end - begin) / FLOAT_BYTES);
	}

	/** The bytes of a tensor. */
	bytes(name: string): Int8Array {
		const { begin, end } = placeOf(this.#places, name);
		return new Int8Array(this.#memory, begin, end - begin);
	}

	/** A function that multiplies `rows` rows by the matrix and adds its bias. */
	multiplier(name: string): (x: Float32Array, rows: number) => Float32Array {
		const bias = placeOf(this.#places, `${name}.bias`);
		const weights = placeOf(this.#places, `${name}.weights`);
		const scales = placeOf(this.#places, `${name}.scales`);
		const outputs = (bias.end - bias.begin) / FLOAT_BYTES;
		const inputs = (weights.end - weights.begin) / outputs;
		return (x, rows) => {
			const padded = Math.ceil(rows / GROUP) * GROUP;
			this.#in.set(x);
			this.#in.fill(0, rows * inputs, padded * inputs);
			this.#multiply(this.#in.byteOffset, padded, inputs, outputs, weights.begin, scales.begin, bias.begin, this.#out.byteOffset);
			return this.#out.slice(0, rows * outputs);
		};
	}
}
