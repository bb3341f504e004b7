import { type BudgetDimension, BudgetExceededError } from "../errors/budget-exceeded-error.js";
import { amountOr } from "./amount.js";

/** Limits; a dimension that is absent has none. */
export type BudgetLimits = { readonly [Dimension in BudgetDimension]?: number };

/** Tokens, and US dollars. */
export type BudgetAmounts = { readonly [Dimension in BudgetDimension]?: number };

/** What was set aside for one request. Only the first of the two counts, once. */
export interface Reservation {
	/** The request was paid for: what it really used is consumed, were it more than there was. What is no number from 0 on is taken as it was estimated. */
	settle(actual?: BudgetAmounts): void;
	/** The request failed and cost nothing. */
	release(): void;
}

const DIMENSIONS: readonly BudgetDimension[] = ["tokens", "cost"];

/** Sums of dollars are off by so small a share of the limit; what is left below it is nothing. */
const ROUNDING = 1e-12;

interface OpenReservation {
	readonly reserved: Readonly<Record<BudgetDimension, number>>;
}

interface Book {
	readonly open: Set<OpenReservation>;
	consumed: Readonly<Record<BudgetDimension, number>>;
}

/**
 * What a budget was used for and what is set aside for requests that go on. Runs that share one see each other's reservations. A request that
 * is estimated too high takes what there is, so that only a budget of which nothing is left refuses one.
 */
export class BudgetLedger {
	readonly #limits: BudgetLimits;
	#book: Book = { open: new Set(), consumed: NOTHING };

	constructor(limits: BudgetLimits = {}) {
		this.#limits = limits;
	}

	/** What was really used since the beginning, or the last reset. */
	get consumed(): Readonly<Record<BudgetDimension, number>> {
		return this.#book.consumed;
	}

	/** What is neither used nor set aside, 0 or more; Infinity without a limit. */
	get remaining(): Readonly<Record<BudgetDimension, number>> {
		return { tokens: this.#remaining("tokens"), cost: this.#remaining("cost") };
	}

	/** What {@link reserve} would throw now; `undefined` where something of everything is left. */
	get exceeded(): BudgetExceededError | undefined {
		const dimension = DIMENSIONS.find((limited) => this.#remaining(limited) === 0);
		return dimension && this.#error(dimension);
	}

	/** Sets aside what a request may use, or what there is of it. Throws BudgetExceededError where nothing is left, and sets nothing aside then. */
	reserve(estimate: BudgetAmounts): Reservation {
		const { exceeded } = this;
		if (exceeded !== undefined) throw exceeded;
		const wanted = { tokens: amountOr(estimate.tokens, 0), cost: amountOr(estimate.cost, 0) };
		const left = this.remaining;
		const open = { reserved: { tokens: Math.min(wanted.tokens, left.tokens), cost: Math.min(wanted.cost, left.cost) } };
		this.#book.open.add(open);
		return {
			settle: (actual = {}) => {
				if (!this.#book.open.delete(open)) return;
				this.consume({ tokens: amountOr(actual.tokens, wanted.tokens), cost: amountOr(actual.cost, wanted.cost) });
			},
			release: () => void this.#book.open.delete(open),
		};
	}

	/** Counts what was used without being set aside before, were it more than there is. */
	consume(used: BudgetAmounts): void {
		const { tokens, cost } = this.#book.consumed;
		this.#book.consumed = { tokens: tokens + amountOr(used.tokens, 0), cost: cost + amountOr(used.cost, 0) };
	}

	/** The same ledger under other limits: what is consumed and set aside in one counts in both. */
	withLimits(limits: BudgetLimits): BudgetLedger {
		const ledger = new BudgetLedger(limits);
		ledger.#book = this.#book;
		return ledger;
	}

	/** Begins anew: nothing is consumed. What is set aside stays so, and counts once it is settled. */
	reset(): void {
		this.#book.consumed = NOTHING;
	}

	#remaining(dimension: BudgetDimension): number {
		const limit = this.#limits[dimension];
		if (limit === undefined) return Number.POSITIVE_INFINITY;
		const left = limit - this.#book.consumed[dimension] - this.#reserved(dimension);
		return left > limit * ROUNDING ? left : 0;
	}

	/** Added up each time: what is added and taken away again in dollars would leave something behind. */
	#reserved(dimension: BudgetDimension): number {
		let sum = 0;
		for (const { reserved } of this.#book.open) sum += reserved[dimension];
		return sum;
	}

	#error(dimension: BudgetDimension): BudgetExceededError {
		const limit = this.#limits[dimension] ?? 0;
		const reserved = this.#reserved(dimension);
		const used = this.#book.consumed[dimension] + reserved;
		const shown = (value: number): string => (dimension === "tokens" ? `${value} tokens` : `${dollars(value)} US dollars`);
		const aside = reserved > 0 ? `, ${shown(reserved)} of that set aside for requests that go on` : "";
		const option = dimension === "tokens" ? "tokenBudget" : "costBudget";
		return new BudgetExceededError(
			dimension,
			limit,
			used,
			`Cannot ask the model: the ${option} of ${shown(limit)} is used up (${shown(used)}${aside}). Raise it, or call resetUsage() to begin anew.`,
		);
	}
}

const NOTHING = Object.freeze({ tokens: 0, cost: 0 });

const dollars = (value: number): string => String(Number(value.toPrecision(6)));
