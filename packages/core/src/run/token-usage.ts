import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "../stream/token-usage.js";
import { isObject } from "../value/frozen-copy.js";

/** What a provider reports of one answer; `undefined` where it reports nothing. Its own record, if there is one, is the `extra`. */
export function tokenUsage(usage: LanguageModelV4Usage | undefined): TokenUsage | undefined {
	if (!isObject(usage)) return undefined;
	const told: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {};
	const promptTokens = count(usage.inputTokens?.total);
	const completionTokens = count(usage.outputTokens?.total);
	const cachedTokens = count(usage.inputTokens?.cacheRead);
	if (promptTokens !== undefined) told.promptTokens = promptTokens;
	if (completionTokens !== undefined) told.completionTokens = completionTokens;
	if (cachedTokens !== undefined) told.cachedTokens = cachedTokens;
	if (isObject(usage.raw)) told.extra = usage.raw;
	return Object.keys(told).length === 0 ? undefined : told;
}

/** Some gateways send counters as text, null or nothing: what is no number was not reported. */
const count = (value: unknown): number | undefined =>
	typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : undefined;
