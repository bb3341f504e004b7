import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { BudgetLimits } from "./budget-ledger.js";
import { checkPricing, type Pricing } from "./pricing.js";

export interface BudgetOptions {
	/** The most tokens, in and out, that may be used: a whole number, 1 or more. Default: no limit. */
	readonly tokenBudget?: number;
	/** The most US dollars that may be spent, more than 0. Needs `pricing`. Default: no limit. */
	readonly costBudget?: number;
	/** What the model's tokens cost. Default: unknown. */
	readonly pricing?: Pricing;
}

/** The limits that were asked for. Throws ConfigurationError for what is none, and for a budget of money where no price is known. */
export function budgetLimits({ tokenBudget, costBudget, pricing }: BudgetOptions): BudgetLimits {
	if (tokenBudget !== undefined && !(Number.isSafeInteger(tokenBudget) && tokenBudget >= 1)) {
		throw new ConfigurationError(`tokenBudget must be a whole number of tokens, 1 or more, got ${describeValue(tokenBudget)}.`);
	}
	if (costBudget !== undefined && !(Number.isFinite(costBudget) && costBudget > 0)) {
		throw new ConfigurationError(`costBudget must be US dollars, more than 0, got ${describeValue(costBudget)}.`);
	}
	if (pricing !== undefined) checkPricing(pricing);
	if (costBudget !== undefined && pricing === undefined) {
		throw new ConfigurationError(
			"A costBudget needs prices, or nothing would ever count: give pricing: { inputPerMillion, outputPerMillion } in US dollars, or a tokenBudget.",
		);
	}
	return { ...(tokenBudget !== undefined && { tokens: tokenBudget }), ...(costBudget !== undefined && { cost: costBudget }) };
}
