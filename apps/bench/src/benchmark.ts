/** One question about cost: the same work done in several ways, of which one is the measure of the others. */
export interface Benchmark {
	readonly name: string;
	/** What is measured, in a line. */
	readonly question: string;
	/** Samples of each case. Default 100. */
	readonly rounds?: number;
	/** The case all ratios are against. */
	readonly baseline: string;
	/**
	 * What a sample is measured by. `"cpu"`: the time this process has worked, for what waits for nobody; on a busy host, a long sample is interrupted and
	 * a short one is not. Default `"wall"`.
	 */
	readonly clock?: "wall" | "cpu";
	/** What a sample is so many of: each case also says how much longer than the baseline one takes. Default: that is not said. */
	readonly unit?: { readonly name: string; readonly perSample: number };
	/** Makes what the cases need, and takes it away again. */
	readonly prepare: () => Promise<PreparedBenchmark>;
}

/** A benchmark that can be run now. */
export interface PreparedBenchmark {
	readonly cases: Readonly<Record<string, () => Promise<void>>>;
	readonly dispose?: () => void;
}

/** What one case came to, in milliseconds. */
export interface CaseFigures {
	readonly name: string;
	readonly samples: number;
	readonly medianMs: number;
	readonly p90Ms: number;
	/** The median against the baseline's. */
	readonly ratio: number;
	/** Microseconds that a unit takes longer than the baseline's: the median over the rounds, of which each has a sample of both. */
	readonly overUs?: number;
}

/** What one benchmark came to. */
export interface BenchmarkFigures {
	readonly name: string;
	readonly question: string;
	readonly baseline: string;
	/** What `overUs` is for. */
	readonly unit?: string;
	readonly cases: readonly CaseFigures[];
}
