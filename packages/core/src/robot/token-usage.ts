import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "../stream/token-usage.js";

/** What a provider reports of one answer; `undefined` where it reports nothing. Its own record, if there is one, is the `extra`. */
export function tokenUsage(usage: LanguageModelV4Usage | undefined): TokenUsage | undefined {
	const counters = {
		promptTokens: usage?.inputTokens?.total,
		completionTokens: usage?.outputTokens?.total,
		cachedTokens: usage?.inputTokens?.cacheRead,
		extra: usage?.raw,
	};
	const reported = Object.entries(counters).filter(([, value]) => value !== undefined);
	return reported.length === 0 ? undefined : Object.fromEntries(reported);
}

/** Two answers' counters as one. A counter that neither has stays absent. */
export function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
	const sums = (["promptTokens", "completionTokens", "cachedTokens"] as const).flatMap((name) => {
		const both = [left[name], right[name]].filter((count) => count !== undefined);
		return both.length === 0 ? [] : [[name, both.reduce((sum, count) => sum + count, 0)]];
	});
	return Object.fromEntries(sums);
}
