/** Numbers without gaps: what orders the events of a run and of every run beneath it. */
export class SequenceCounter {
	#current: number;

	/** @param start The number before the first. Default 0, so that the first is 1. */
	constructor(start = 0) {
		this.#current = start;
	}

	/** Takes the next number. */
	next(): number {
		this.#current += 1;
		return this.#current;
	}

	/** The number taken last; 0 before any. */
	get current(): number {
		return this.#current;
	}

	/** Goes on from `value`: the next number is `value + 1`. Default 0. */
	reset(value = 0): void {
		this.#current = value;
	}
}
