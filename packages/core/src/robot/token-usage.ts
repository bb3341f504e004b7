import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "../stream/token-usage.js";
import { isObject } from "../value/frozen-copy.js";

/** What a provider reports of one answer; `undefined` where it reports nothing. Its own record, if there is one, is the `extra`. */
export function tokenUsage(usage: LanguageModelV4Usage | undefined): TokenUsage | undefined {
	const counters = {
		promptTokens: count(usage?.inputTokens?.total),
		completionTokens: count(usage?.outputTokens?.total),
		cachedTokens: count(usage?.inputTokens?.cacheRead),
		extra: isObject(usage?.raw) ? usage.raw : undefined,
	};
	const reported = Object.entries(counters).filter(([, value]) => value !== undefined);
	return reported.length === 0 ? undefined : Object.fromEntries(reported);
}

/** Some gateways send counters as text, null or nothing: what is no number was not reported. */
const count = (value: unknown): number | undefined =>
	typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : undefined;
