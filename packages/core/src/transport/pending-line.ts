/** What is taken at once: room that is kept for the next line. */
const KEPT_BYTES = 64 * 1024;

/**
 * The line that is being read. Its bytes are copied into room that doubles, so that a line costs the same in one piece or in a million,
 * and no chunk is held.
 */
export class PendingLine {
	readonly #maxBytes: number;
	#room: Buffer = Buffer.alloc(0);
	#length = 0;
	#droppedBytes = 0;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	get isEmpty(): boolean {
		return this.#length === 0;
	}

	/** How many of its bytes are kept so far. */
	get length(): number {
		return this.#length;
	}

	add(piece: Uint8Array): void {
		const kept = piece.subarray(0, this.#maxBytes - this.#length);
		this.#droppedBytes += piece.length - kept.length;
		this.#reserve(this.#length + kept.length);
		this.#room.set(kept, this.#length);
		this.#length += kept.length;
	}

	/** The line, and a new one begins. Its bytes are those until the next `add`. */
	take(): { readonly bytes: Buffer; readonly droppedBytes: number } {
		const taken = { bytes: this.#room.subarray(0, this.#length), droppedBytes: this.#droppedBytes };
		this.#length = 0;
		this.#droppedBytes = 0;
		if (this.#room.length > KEPT_BYTES) this.#room = Buffer.alloc(0);
		return taken;
	}

	#reserve(bytes: number): void {
		if (bytes <= this.#room.length) return;
		const larger = Buffer.allocUnsafe(Math.min(this.#maxBytes, Math.max(bytes, this.#room.length * 2, 1_024)));
		larger.set(this.#room.subarray(0, this.#length));
		this.#room = larger;
	}
}
