import { setImmediate as nextTurn } from "node:timers/promises";

/** Short enough that nobody waits for it, long enough that giving way costs nothing beside it. */
const SLICE_MS = 8;

/**
 * The time that work which waits for nothing takes of a process before it gives way to everything else in it: to timers, answers and requests.
 *
 * ```ts
 * const slice = new TimeSlice();
 * for (const item of items) {
 * 	if (slice.isOver) await slice.next();
 * 	…
 * }
 * ```
 */
export class TimeSlice {
	#endsAt = performance.now() + SLICE_MS;
	#turn: Promise<void> | undefined;

	get isOver(): boolean {
		return performance.now() >= this.#endsAt;
	}

	/**
	 * Lets everything else that waits have its turn, and begins another slice. Where several share a slice it may be over again when it is theirs to go on:
	 * the first of them took it.
	 */
	next(): Promise<void> {
		this.#turn ??= this.#begin();
		return this.#turn;
	}

	async #begin(): Promise<void> {
		await nextTurn();
		this.#endsAt = performance.now() + SLICE_MS;
		this.#turn = undefined;
	}
}
