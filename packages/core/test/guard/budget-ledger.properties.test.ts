import fc from "fast-check";
import { expect, it } from "vitest";
import { BudgetExceededError } from "../../src/errors/budget-exceeded-error.js";
import { BudgetLedger, type Reservation } from "../../src/guard/budget-ledger.js";

const RUNS = 4;

type Step =
	| { readonly kind: "reserve"; readonly run: number; readonly tokens: number; readonly cost: number }
	| { readonly kind: "settle"; readonly run: number; readonly tokens: number | undefined; readonly cost: number | undefined }
	| { readonly kind: "release" | "reset"; readonly run: number };

const run = fc.nat(RUNS - 1);
const tokens = fc.integer({ min: 0, max: 80 });
/** Halves and the like: their sums are exact, so that the model need not be as careful as the ledger. */
const cost = fc.integer({ min: 0, max: 80 }).map((eighths) => eighths / 8);
const reported = <T>(amount: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(amount, { nil: undefined });
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
		{ weight: 6, arbitrary: fc.record({ kind: fc.constant("reserve" as const), run, tokens, cost }) },
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant("settle" as const), run, tokens: reported(tokens), cost: reported(cost) }) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constant("release" as const), run }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("reset" as const), run }) },
	),
	{ maxLength: 80, size: "max" },
);
const limit = fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined });

interface Amounts {
	tokens: number;
	cost: number;
}

/** What a ledger is by the words alone, in the plainest way. */
class Model {
	consumed: Amounts = { tokens: 0, cost: 0 };
	readonly open = new Map<number, { readonly wanted: Amounts; readonly reserved: Amounts }>();
	readonly limits: Amounts;

	constructor(limits: { tokens: number | undefined; cost: number | undefined }) {
		this.limits = { tokens: limits.tokens ?? Number.POSITIVE_INFINITY, cost: limits.cost ?? Number.POSITIVE_INFINITY };
	}

	remaining(of: keyof Amounts): number {
		const reserved = [...this.open.values()].reduce((sum, { reserved }) => sum + reserved[of], 0);
		return Math.max(0, this.limits[of] - this.consumed[of] - reserved);
	}

	/** Whether it is granted. */
	reserve(by: number, wanted: Amounts): boolean {
		const left = { tokens: this.remaining("tokens"), cost: this.remaining("cost") };
		if (left.tokens === 0 || left.cost === 0) return false;
		this.open.set(by, { wanted, reserved: { tokens: Math.min(wanted.tokens, left.tokens), cost: Math.min(wanted.cost, left.cost) } });
		return true;
	}

	settle(by: number, actual: { tokens: number | undefined; cost: number | undefined }): void {
		const open = this.open.get(by);
		if (open === undefined) return;
		this.open.delete(by);
		this.consumed.tokens += actual.tokens ?? open.wanted.tokens;
		this.consumed.cost += actual.cost ?? open.wanted.cost;
	}
}

it("BudgetLedger is what a plain model of it is, whatever several runs do in whatever order", () => {
	let refused = 0;
	fc.assert(
		fc.property(fc.record({ tokens: limit, cost: limit }), steps, (limits, sequence) => {
			const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
			const ledger = new BudgetLedger(given);
			const model = new Model(limits);
			const reservations = new Map<number, Reservation>();
			const agree = (): void => {
				expect(ledger.consumed).toEqual(model.consumed);
				expect(ledger.remaining).toEqual({ tokens: model.remaining("tokens"), cost: model.remaining("cost") });
			};
			for (const step of sequence) {
				if (step.kind === "reset") {
					ledger.reset();
					model.consumed = { tokens: 0, cost: 0 };
				} else if (step.kind === "reserve") {
					if (model.open.has(step.run)) continue;
					const wanted = { tokens: step.tokens, cost: step.cost };
					if (model.reserve(step.run, wanted)) reservations.set(step.run, ledger.reserve(wanted));
					else {
						refused++;
						expect(() => ledger.reserve(wanted)).toThrow(BudgetExceededError);
					}
				} else if (step.kind === "settle") {
					model.settle(step.run, step);
					reservations.get(step.run)?.settle(step as { tokens: number; cost: number });
				} else {
					model.open.delete(step.run);
					reservations.get(step.run)?.release();
				}
				agree();
			}
			for (const by of reservations.keys()) {
				model.open.delete(by);
				reservations.get(by)?.release();
			}
			agree();
			expect(ledger.remaining.tokens).toBe(Math.max(0, model.limits.tokens - ledger.consumed.tokens));
			expect(ledger.remaining.cost).toBe(Math.max(0, model.limits.cost - ledger.consumed.cost));
		}),
		{ numRuns: 300 },
	);
	expect(refused).toBeGreaterThan(100);
});
