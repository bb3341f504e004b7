/** More would keep timers, and with them `close()` after a while, from their turn: robots that answer each other for ever do it in microtasks. */
const MAX_STEPS = 5_000;

/** A reading of the clock costs as much as a delivery. */
const USES_OF_A_READING = 32;

/** One turn of the event loop: work shares what comes once in it, and leaves it when it has done much. */
export class EventLoopTurn {
	#atEnd: (() => void)[] = [];
	#isAwaited = false;
	#steps = 0;
	#uses = 0;
	#time = 0;

	/** Milliseconds since 1970, as of a moment ago. */
	get time(): number {
		if (this.#uses === 0) {
			this.#time = Date.now();
			this.#await();
		}
		this.#uses = (this.#uses + 1) % USES_OF_A_READING;
		return this.#time;
	}

	/** Counts a piece of work. */
	step(): void {
		if (this.#steps === 0) this.#await();
		this.#steps += 1;
	}

	/** Whether enough was done, and others wait for their turn. */
	get isLong(): boolean {
		return this.#steps > MAX_STEPS;
	}

	/** Resolves when the turn ends. */
	get end(): Promise<void> {
		return new Promise((resolve) => this.atEnd(resolve));
	}

	/** Does something when the turn ends: behind everything that follows at once from what is going on. */
	atEnd(action: () => void): void {
		this.#atEnd.push(action);
		this.#await();
	}

	#await(): void {
		if (this.#isAwaited) return;
		this.#isAwaited = true;
		setImmediate(this.#end);
	}

	readonly #end = (): void => {
		this.#isAwaited = false;
		this.#steps = 0;
		this.#uses = 0;
		const actions = this.#atEnd;
		this.#atEnd = [];
		for (const action of actions) action();
	};
}
