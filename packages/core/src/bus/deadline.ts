/** A timer that is set anew only where it would ring too late. While it is waited for it keeps the process alive: what ends in between would be lost in silence. */
export class Deadline {
	readonly #onRing: () => void;
	#timer: NodeJS.Timeout | undefined;
	#ringsAt = Number.POSITIVE_INFINITY;
	#isAwaited = false;

	/** @param onRing Called at the time that was set last or before, and sets it anew where it is too early. Must not throw. */
	constructor(onRing: () => void) {
		this.#onRing = onRing;
	}

	/** @param at By `performance.now()`. */
	set(at: number): void {
		this.#isAwaited = true;
		if (this.#ringsAt <= at) {
			this.#timer?.ref();
			return;
		}
		clearTimeout(this.#timer);
		this.#ringsAt = at;
		this.#timer = setTimeout(this.#ring, Math.max(1, Math.ceil(at - performance.now())));
	}

	/** Nobody waits for it now. It may ring all the same, where the process lives on. */
	release(): void {
		if (!this.#isAwaited) return;
		this.#isAwaited = false;
		this.#timer?.unref();
	}

	clear(): void {
		clearTimeout(this.#timer);
		this.#ringsAt = Number.POSITIVE_INFINITY;
		this.#isAwaited = false;
	}

	readonly #ring = (): void => {
		this.#ringsAt = Number.POSITIVE_INFINITY;
		this.#onRing();
	};
}
