import { type BudgetAmounts, BudgetLedger, type BudgetLimits } from "../guard/budget-ledger.js";
import { sumUsage, type TokenUsage } from "../stream/token-usage.js";

/** What all runs of a robot have used, and what is left of its budgets. */
export class Spending {
	#usage: TokenUsage = {};
	#ledger: BudgetLedger | undefined;

	/** All runs' together, since the beginning or the last reset. */
	get usage(): TokenUsage {
		return this.#usage;
	}

	/**
	 * Counts an answer as it comes: one that came before a reset is no part of what is used afterwards.
	 *
	 * @param paidFrom What its request was paid from: nothing where there were no limits yet when the run began.
	 */
	note(usage: TokenUsage, paidFrom: BudgetLedger | undefined): void {
		this.#usage = Object.freeze(sumUsage([this.#usage, usage]));
		if (paidFrom === undefined) this.#ledger?.consume(amountsIn(usage));
	}

	/** What a run's requests are paid from; `undefined` without limits. What was used before there were any counts, too. A run keeps the limits that it began with. */
	ledgerFor(limits: BudgetLimits): BudgetLedger | undefined {
		if (limits.tokens === undefined && limits.cost === undefined) return undefined;
		this.#ledger ??= startedLedger(this.#usage);
		return this.#ledger.withLimits(limits);
	}

	reset(): void {
		this.#usage = {};
		this.#ledger?.reset();
	}
}

function startedLedger(usage: TokenUsage): BudgetLedger {
	const ledger = new BudgetLedger();
	ledger.consume(amountsIn(usage));
	return ledger;
}

const amountsIn = ({ promptTokens = 0, completionTokens = 0, costUsd = 0 }: TokenUsage): BudgetAmounts => ({
	tokens: promptTokens + completionTokens,
	cost: costUsd,
});
