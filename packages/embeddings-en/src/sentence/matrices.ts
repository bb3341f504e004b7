import { readDataFile, readDataFileInto } from "../data/data-file.js";
import { placeOf, type TensorPlaces, tensorPlaces } from "../data/tensors.js";
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

export interface MatricesOptions {
	/** The file of the tensors and that of the kernel, in data/. */
	readonly file: string;
	readonly kernel: string;
	/** How many rows of how many numbers go in and come out at most. */
	readonly maxRows: number;
	readonly maxColumns: number;
}

/** The matrices of a file, in a memory that the kernel works in. */
export class Matrices {
	readonly #memory: ArrayBuffer;
	readonly #places: TensorPlaces;
	readonly #multiply: Multiply;
	readonly #in: Float32Array;
	readonly #out: Float32Array;

	/** Rejects as {@link readDataFile} does. */
	static async load({ file, kernel, maxRows, maxColumns }: MatricesOptions): Promise<Matrices> {
		const numbers = Math.ceil(maxRows / GROUP) * GROUP * maxColumns;
		const code = await readDataFile(kernel);
		let memory = new webAssembly.Memory({ initial: 0 });
		let start = 0;
		await readDataFileInto(file, (bytes) => {
			start = Math.ceil(bytes / 16) * 16;
			memory = new webAssembly.Memory({ initial: Math.ceil((start + 2 * numbers * FLOAT_BYTES) / PAGE_BYTES) });
			return new Uint8Array(memory.buffer);
		});
		const { exports } = new webAssembly.Instance(new webAssembly.Module(code), { host: { memory } });
		return new Matrices(memory.buffer, start, numbers, exports.multiply as Multiply);
	}

	private constructor(memory: ArrayBuffer, start: number, numbers: number, multiply: Multiply) {
		this.#memory = memory;
		this.#places = tensorPlaces(new Uint8Array(memory, 0, start));
		this.#multiply = multiply;
		this.#in = new Float32Array(memory, start, numbers);
		this.#out = new Float32Array(memory, start + numbers * FLOAT_BYTES, numbers);
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
			// what earlier rows have left behind these fills the last group; nobody looks at what comes of it
			this.#in.set(x);
			this.#multiply(this.#in.byteOffset, padded, inputs, outputs, weights.begin, scales.begin, bias.begin, this.#out.byteOffset);
			return this.#out.slice(0, rows * outputs);
		};
	}
}
