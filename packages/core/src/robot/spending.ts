import { BudgetLedger, type BudgetLimits } from "../guard/budget-ledger.js";
import { sumUsage, type TokenUsage } from "../stream/token-usage.js";

/** What all runs of a robot have used, and what is left of its budgets. */
export class Spending {
	#usage: TokenUsage = {};
	#ledger: { readonly limits: BudgetLimits; readonly ledger: BudgetLedger } | undefined;

	/** All runs' together, since the beginning or the last reset. */
	get usage(): TokenUsage {
		return this.#usage;
	}

	note(usage: TokenUsage): void {
		this.#usage = Object.freeze(sumUsage([this.#usage, usage]));
	}

	/** What a run's requests are paid from; `undefined` without limits. Other limits than before: what was used counts on. */
	ledgerFor(limits: BudgetLimits): BudgetLedger | undefined {
		if (limits.tokens === undefined && limits.cost === undefined) return undefined;
		const last = this.#ledger;
		if (last !== undefined && last.limits.tokens === limits.tokens && last.limits.cost === limits.cost) return last.ledger;
		const ledger = new BudgetLedger(limits);
		if (last !== undefined) ledger.reserve({}).settle(last.ledger.consumed);
		this.#ledger = { limits, ledger };
		return ledger;
	}

	reset(): void {
		this.#usage = {};
		this.#ledger?.ledger.reset();
	}
}
