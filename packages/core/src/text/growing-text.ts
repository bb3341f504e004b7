/** Pieces that are held apart until they are joined. */
const MOST_PIECES = 512;

/**
 * A text that grows by small pieces and takes up little more than itself. One that is put together by `+` keeps every piece, and more than
 * as much again to hold them together, until it is read for the first time.
 */
export class GrowingText {
	#joined = "";
	#pieces: string[] = [];
	#length = 0;

	/** In UTF-16 code units. */
	get length(): number {
		return this.#length;
	}

	add(piece: string): void {
		this.#length += piece.length;
		if (this.#pieces.push(piece) === MOST_PIECES) this.#join();
	}

	toString(): string {
		this.#join();
		return this.#joined;
	}

	#join(): void {
		if (this.#pieces.length === 0) return;
		this.#joined += this.#pieces.join("");
		this.#pieces = [];
	}
}
