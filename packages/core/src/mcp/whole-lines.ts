import { PendingLine } from "../transport/pending-line.js";
import { MAX_MESSAGE_BYTES } from "./server-options.js";

const LINE_FEED = 0x0a;

/**
 * What a server writes, in whole lines: the client package searches and copies all it was given with each piece it is given, which takes quadratic
 * time, and a server chooses its pieces.
 */
export class WholeLines {
	readonly #pending: PendingLine = new PendingLine(MAX_MESSAGE_BYTES);

	/** The lines that these bytes complete, with their ends; nothing where they complete none. Throws RangeError for a line of more than MAX_MESSAGE_BYTES. */
	take(bytes: Uint8Array): Buffer | undefined {
		if (this.#pending.length + bytes.length > MAX_MESSAGE_BYTES) throw new RangeError(`a message of more than ${MAX_MESSAGE_BYTES} bytes`);
		const end = bytes.lastIndexOf(LINE_FEED) + 1;
		if (end === 0) {
			this.#pending.add(bytes);
			return undefined;
		}
		this.#pending.add(bytes.subarray(0, end));
		const lines = Buffer.from(this.#pending.take().bytes);
		this.#pending.add(bytes.subarray(end));
		return lines;
	}
}
