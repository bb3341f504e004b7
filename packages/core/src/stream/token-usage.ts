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

/** What adds up. */
export const COUNTERS = ["promptTokens", "completionTokens", "cachedTokens", "costUsd"] as const;

/**
 * What several answers, or runs, cost together. A counter that none of them has stays absent. `extra` is left out: nobody can say of other
 * people's counters whether they add up.
 */
export function sumUsage(usages: Iterable<TokenUsage>): TokenUsage {
	const sum: { -readonly [Counter in (typeof COUNTERS)[number]]?: number } = {};
	for (const usage of usages) {
		for (const counter of COUNTERS) {
			const value = usage[counter];
			if (value !== undefined) sum[counter] = (sum[counter] ?? 0) + value;
		}
	}
	return sum;
}
