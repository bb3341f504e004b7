import { TextDecoder } from "node:util";
import { type KeptText, OutputBuffer } from "./output-buffer.js";

/** One stream of a run: kept within its budget, and decoded as it comes for whoever listens. */
export class CapturedOutput {
	readonly #kept: OutputBuffer;
	readonly #listener: ((chunk: string) => void) | undefined;
	readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

	constructor(budget: number, listener?: (chunk: string) => void) {
		this.#kept = new OutputBuffer(budget);
		this.#listener = listener;
	}

	readonly append = (bytes: Uint8Array): void => {
		this.#kept.append(bytes);
		if (this.#listener !== undefined) this.#tell(this.#decoder.decode(bytes, { stream: true }));
	};

	/** The whole of it. The listener hears what an unfinished character at the end becomes. */
	finish(): KeptText {
		if (this.#listener !== undefined) this.#tell(this.#decoder.decode());
		return this.#kept.text();
	}

	#tell(text: string): void {
		if (text !== "") this.#listener?.(text);
	}
}
