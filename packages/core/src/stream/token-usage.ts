/** What a model's answer, or a whole run, cost. A counter that nobody reported is absent, never 0. */
export interface TokenUsage {
	/** Input tokens, those read from a cache and written to it included. */
	readonly promptTokens?: number;
	readonly completionTokens?: number;
	/** The share of `promptTokens` that was read from a cache. */
	readonly cachedTokens?: number;
	/** US dollars, where whoever reported the usage priced it. */
	readonly costUsd?: number;
	/** Other counters, under the names of whoever reported them. */
	readonly extra?: Readonly<Record<string, unknown>>;
}
