import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import type { TokenUsage } from "../stream/token-usage.js";
import { describeValue } from "../text/describe-value.js";
import { amountOr, isAmount } from "./amount.js";
import type { BudgetAmounts } from "./budget-ledger.js";

/** What a model's tokens cost, in US dollars for each million. */
export interface Pricing {
	readonly inputPerMillion: number;
	readonly outputPerMillion: number;
	/** Of input that was read from a cache. Default: `inputPerMillion`. */
	readonly cachedInputPerMillion?: number;
}

const MILLION = 1_000_000;

/** How long an answer is taken to be at most where nobody limits it. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

const PRICES: readonly (keyof Pricing)[] = ["inputPerMillion", "outputPerMillion", "cachedInputPerMillion"];

/** US dollars; `undefined` where no price is known. */
export function costOf(usage: TokenUsage, pricing: Pricing | undefined): number | undefined {
	if (pricing === undefined) return undefined;
	const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = pricing;
	const input = amountOr(usage.promptTokens, 0);
	const cached = Math.min(amountOr(usage.cachedTokens, 0), input);
	const output = amountOr(usage.completionTokens, 0);
	return ((input - cached) * inputPerMillion + cached * cachedInputPerMillion + output * outputPerMillion) / MILLION;
}

export interface RequestSize {
	/** Of the whole prompt, estimated: a quarter of its characters. */
	readonly promptTokens: number;
	/** The request's own limit. Default 4096. */
	readonly maxOutputTokens?: number | undefined;
}

/** What one request may use before it is made. */
export const estimateOf = ({ promptTokens, maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS }: RequestSize): TokenUsage => ({
	promptTokens: Math.ceil(promptTokens),
	completionTokens: maxOutputTokens,
});

/**
 * What a usage counts for in a budget. A counter that was not reported, or is no number from 0 on, is as it was estimated: an answer
 * of a provider that reports nothing is not free.
 */
export function amountsOf(usage: TokenUsage | undefined, estimate: TokenUsage, pricing: Pricing | undefined): BudgetAmounts {
	const promptTokens = amountOr(usage?.promptTokens, amountOr(estimate.promptTokens, 0));
	const completionTokens = amountOr(usage?.completionTokens, amountOr(estimate.completionTokens, 0));
	const cost = costOf({ ...usage, promptTokens, completionTokens }, pricing);
	return { tokens: promptTokens + completionTokens, ...(cost !== undefined && { cost }) };
}

/** Throws ConfigurationError for prices that are none, naming the one. */
export function checkPricing(pricing: Pricing): void {
	checkNames("pricing", pricing, PRICES);
	for (const name of PRICES) {
		if (isAmount(pricing[name]) || (name === "cachedInputPerMillion" && pricing[name] === undefined)) continue;
		throw new ConfigurationError(
			`pricing.${name} must be US dollars for a million tokens, 0 or more, got ${describeValue(pricing[name])}.`,
		);
	}
}
