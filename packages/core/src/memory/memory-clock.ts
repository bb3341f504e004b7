/** What a memory knows of time. A test that gives one of its own decides when a deadline has come. */
export interface MemoryClock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Calls `ring` once, in so many milliseconds, unless what it answers with is called before. */
	setTimer(ring: () => void, delayMs: number): () => void;
}

/** The clock of the host. Its timers keep no process alive. */
export const hostClock: MemoryClock = {
	now: () => Date.now(),
	setTimer(ring, delayMs) {
		const timer = setTimeout(ring, delayMs).unref();
		return () => clearTimeout(timer);
	},
};
