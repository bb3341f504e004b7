import type { MemoryClock } from "../../src/memory/memory-clock.js";

interface Timer {
	readonly at: number;
	readonly ring: () => void;
}

/** A clock that goes on only when it is told to. */
export class FakeClock implements MemoryClock {
	#now = 0;
	readonly #timers = new Set<Timer>();

	now(): number {
		return this.#now;
	}

	setTimer(ring: () => void, delayMs: number): () => void {
		const timer = { at: this.#now + delayMs, ring };
		this.#timers.add(timer);
		return () => this.#timers.delete(timer);
	}

	/** How many deadlines are still to come. */
	get pending(): number {
		return this.#timers.size;
	}

	advance(durationMs: number): void {
		const until = this.#now + durationMs;
		for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
			this.#now = next.at;
			this.#timers.delete(next);
			next.ring();
		}
		this.#now = until;
	}

	#next(until: number): Timer | undefined {
		return [...this.#timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
	}
}
