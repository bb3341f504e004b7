/** Numbers that are the same on every machine for the same seed. */
export interface Random {
	/** From 0 up to, not including, 1. */
	next(): number;
	/** A whole number from `low` to `high`, both included. */
	between(low: number, high: number): number;
	pick<T>(items: readonly [T, ...T[]]): T;
	chance(probability: number): boolean;
}

/** The mulberry32 generator: 32 bits of state are plenty for one day of traffic. */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		next,
		between: (low, high) => low + Math.floor(next() * (high - low + 1)),
		pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
		chance: (probability) => next() < probability,
	};
}
