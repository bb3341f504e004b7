import { type DotKernel, dotKernel, type KernelMemory, PAGE_BYTES, STEP } from "./dot-kernel.js";

const BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Numbers. Memory of WebAssembly reserves a large range of addresses, so that few have it; below this a plain loop takes microseconds. */
const KERNEL_FROM = 131_072;
/** Numbers: 4 GB, as far as the addresses of the kernel go. */
const KERNEL_UP_TO = 2 ** 30;

/** Numbers in one piece, which can grow, and the dot products of some of them with others: by a kernel where there is one, else by a loop. */
export class NumberSpace {
	#floats: Float32Array;
	#memory: KernelMemory | undefined;
	#dots: DotKernel | undefined;
	readonly #host: unknown;

	/** @param host Of WebAssembly; `null` for none. Default: that of this process. */
	constructor(size: number, host?: unknown) {
		this.#host = host;
		this.#floats = new Float32Array(0);
		this.grow(size);
	}

	/** Void as soon as the space grows. */
	get floats(): Float32Array {
		return this.#floats;
	}

	/** Whether the kernel computes. */
	get isFast(): boolean {
		return this.#dots !== undefined;
	}

	/** To at least so many numbers; what is new is 0. */
	grow(size: number): void {
		if (size <= this.#floats.length) return;
		if (this.#growMemory(size)) return;
		const kernel = this.#memory === undefined && this.#host !== null && size >= KERNEL_FROM && size <= KERNEL_UP_TO;
		const made = kernel ? dotKernel(size * BYTES, this.#host) : undefined;
		const floats = new Float32Array(made?.memory.buffer ?? new ArrayBuffer(size * BYTES));
		floats.set(this.#floats);
		this.#floats = floats;
		this.#memory = made?.memory;
		this.#dots = made?.dots;
	}

	/** Writes to `out` the dot products of what begins at `query` and each of `rows` rows of `length` numbers, a multiple of 8, from `row` on. */
	dots(row: number, query: number, out: number, rows: number, length: number): void {
		if (this.#dots !== undefined) this.#dots(row * BYTES, query * BYTES, out * BYTES, rows, length * BYTES);
		else dotsByLoop(this.#floats, row, query, out, rows, length);
	}

	#growMemory(size: number): boolean {
		if (this.#memory === undefined) return false;
		const missing = size * BYTES - this.#memory.buffer.byteLength;
		try {
			this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
		} catch {
			return false; // there is no more: it goes on without a kernel
		}
		this.#floats = new Float32Array(this.#memory.buffer);
		return true;
	}
}

/** Eight sums, since each addition to one would wait for the one before. */
function dotsByLoop(floats: Float32Array, row: number, query: number, out: number, rows: number, length: number): void {
	for (let done = 0, at = row; done < rows; done += 1) {
		let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
		for (let q = query; q < query + length; q += STEP, at += STEP) {
			a += (floats[at] as number) * (floats[q] as number);
			b += (floats[at + 1] as number) * (floats[q + 1] as number);
			c += (floats[at + 2] as number) * (floats[q + 2] as number);
			d += (floats[at + 3] as number) * (floats[q + 3] as number);
			e += (floats[at + 4] as number) * (floats[q + 4] as number);
			f += (floats[at + 5] as number) * (floats[q + 5] as number);
			g += (floats[at + 6] as number) * (floats[q + 6] as number);
			h += (floats[at + 7] as number) * (floats[q + 7] as number);
		}
		floats[out + done] = a + b + (c + d) + (e + f + (g + h));
	}
}
