/** What one run held while it went on, in bytes. */
export interface MemorySample {
	/** Most that was reachable at once, over what was before the run. */
	readonly peakHeldBytes: number;
	/** Most that the process had, over what it had before the run. */
	readonly peakRssBytes: number;
	/** The text of the result. */
	readonly resultBytes: number;
}

/** What one case came to, for each of its sizes. */
export interface MemoryCaseFigures {
	readonly name: string;
	/** What its sizes count. */
	readonly unit: string;
	readonly runs: readonly ({ readonly size: number } & MemorySample)[];
}

export interface MemoryFigures {
	readonly name: string;
	readonly question: string;
	readonly cases: readonly MemoryCaseFigures[];
}
