import { describe, expect, it } from "vitest";
import { BudgetExceededError } from "../../src/errors/budget-exceeded-error.js";
import { BudgetLedger } from "../../src/guard/budget-ledger.js";

function refusal(work: () => unknown): BudgetExceededError {
	try {
		work();
	} catch (error) {
		if (BudgetExceededError.isInstance(error)) return error;
		throw error;
	}
	throw new Error("It was not refused.");
}

describe("BudgetLedger", () => {
	it("sets aside no more than there is, so that an estimate that is too high refuses nothing", () => {
		const ledger = new BudgetLedger({ tokens: 100 });
		const reservation = ledger.reserve({ tokens: 5_000 });
		expect(ledger.remaining.tokens).toBe(0);
		reservation.settle({ tokens: 30 });
		expect([ledger.remaining.tokens, ledger.consumed.tokens]).toEqual([70, 30]);
	});

	it("shows a run what another has set aside", () => {
		const ledger = new BudgetLedger({ tokens: 100 });
		const first = ledger.reserve({ tokens: 60 });
		const second = ledger.reserve({ tokens: 60 });
		expect(ledger.remaining.tokens).toBe(0);
		const error = refusal(() => ledger.reserve({ tokens: 1 }));
		expect(error).toMatchObject({ code: "budget_exceeded", dimension: "tokens", limit: 100, used: 100 });
		expect(error.message).toBe(
			"Cannot ask the model: the tokenBudget of 100 tokens is used up (100 tokens, 100 tokens of that set aside for requests that go on). Raise it, or call resetUsage() to begin anew.",
		);
		first.release();
		expect(ledger.remaining.tokens).toBe(60);
		second.settle({ tokens: 10 });
		expect(ledger.remaining.tokens).toBe(90);
	});

	it("counts an answer that cost more than there was, and refuses the next request", () => {
		const ledger = new BudgetLedger({ tokens: 100, cost: 1 });
		ledger.reserve({ tokens: 10, cost: 0.1 }).settle({ tokens: 20, cost: 1.5 });
		expect(ledger.remaining).toEqual({ tokens: 80, cost: 0 });
		expect(refusal(() => ledger.reserve({ tokens: 10 }))).toMatchObject({ dimension: "cost", limit: 1, used: 1.5 });
		expect(ledger.exceeded?.message).toContain("the costBudget of 1 US dollars is used up (1.5 US dollars)");
	});

	it("sets nothing aside for a request that it refuses", () => {
		const ledger = new BudgetLedger({ tokens: 100, cost: 1 });
		ledger.reserve({}).settle({ cost: 1 });
		refusal(() => ledger.reserve({ tokens: 50 }));
		expect(ledger.remaining.tokens).toBe(100);
	});

	it("counts what is without a limit, and refuses nothing then", () => {
		const ledger = new BudgetLedger();
		ledger.reserve({ tokens: 1e9, cost: 1e9 }).settle({ tokens: 5, cost: 2 });
		expect([ledger.remaining, ledger.consumed, ledger.exceeded]).toEqual([
			{ tokens: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY },
			{ tokens: 5, cost: 2 },
			undefined,
		]);
	});

	it("settles or releases a reservation once", () => {
		const ledger = new BudgetLedger({ tokens: 100 });
		const settled = ledger.reserve({ tokens: 10 });
		settled.settle({ tokens: 3 });
		settled.settle({ tokens: 3 });
		settled.release();
		const released = ledger.reserve({ tokens: 10 });
		released.release();
		released.settle({ tokens: 3 });
		expect([ledger.consumed.tokens, ledger.remaining.tokens]).toEqual([3, 97]);
	});

	it("takes what was not reported as it was estimated, were that more than could be set aside", () => {
		const ledger = new BudgetLedger({ tokens: 100 });
		ledger.reserve({ tokens: 250 }).settle();
		expect(ledger.consumed.tokens).toBe(250);
	});

	it.each([Number.NaN, -5, Number.POSITIVE_INFINITY, "7", null, undefined])(
		"takes %o, which a provider may report, for nothing reported",
		(junk) => {
			const ledger = new BudgetLedger({ tokens: 100, cost: 1 });
			ledger.reserve({ tokens: 10, cost: 0.5 }).settle({ tokens: junk as number, cost: junk as number });
			expect(ledger.consumed).toEqual({ tokens: 10, cost: 0.5 });
			ledger.reserve({ tokens: junk as number, cost: junk as number }).release();
			expect(ledger.remaining).toEqual({ tokens: 90, cost: 0.5 });
		},
	);

	it("begins anew at a reset; what goes on then counts when it ends", () => {
		const ledger = new BudgetLedger({ tokens: 100 });
		ledger.reserve({ tokens: 90 }).settle({ tokens: 90 });
		const running = ledger.reserve({ tokens: 10 });
		ledger.reset();
		expect([ledger.consumed.tokens, ledger.remaining.tokens]).toEqual([0, 90]);
		running.settle({ tokens: 8 });
		expect([ledger.consumed.tokens, ledger.remaining.tokens]).toEqual([8, 92]);
	});

	it("finds nothing left of dollars that add up to the limit but for rounding", () => {
		const ledger = new BudgetLedger({ cost: 0.3 });
		for (let n = 0; n < 3; n++) ledger.reserve({ cost: 0.1 }).settle({ cost: 0.1 - Number.EPSILON });
		expect(ledger.remaining.cost).toBe(0);
		refusal(() => ledger.reserve({ cost: 0.1 }));
	});
});
