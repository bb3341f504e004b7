/** A timer that is set anew only where it would ring too late. It keeps no process alive: who waits for nothing else does not wait for a handler either. */
export class Deadline {
	readonly #onRing: () => void;
	#timer: NodeJS.Timeout | undefined;
	#ringsAt = Number.POSITIVE_INFINITY;

	/** @param onRing Called at the time that was set last or before, and sets it anew where it is too early. */
	constructor(onRing: () => void) {
		this.#onRing = onRing;
	}

	/** @param at By `performance.now()`. */
	set(at: number): void {
		if (this.#ringsAt <= at) return;
		clearTimeout(this.#timer);
		this.#ringsAt = at;
		this.#timer = setTimeout(this.#ring, Math.max(1, Math.ceil(at - performance.now()))).unref();
	}

	clear(): void {
		clearTimeout(this.#timer);
		this.#ringsAt = Number.POSITIVE_INFINITY;
	}

	readonly #ring = (): void => {
		this.#ringsAt = Number.POSITIVE_INFINITY;
		this.#onRing();
	};
}
