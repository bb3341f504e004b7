import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { type BudgetOptions, budgetLimits } from "../../src/guard/budget-options.js";
import { amountsOf, costOf, estimateOf, type Pricing } from "../../src/guard/pricing.js";

const PRICING: Pricing = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };

describe("costOf()", () => {
	it("prices input, what of it was cached, and output", () => {
		expect(costOf({ promptTokens: 1_000_000, completionTokens: 1_000_000 }, PRICING)).toBe(18);
		expect(costOf({ promptTokens: 1_000_000, cachedTokens: 500_000, completionTokens: 0 }, PRICING)).toBeCloseTo(1.65, 12);
		const { cachedInputPerMillion: _, ...flat } = PRICING;
		expect(costOf({ promptTokens: 1_000_000, cachedTokens: 500_000 }, flat)).toBe(3);
	});

	it("knows nothing where there is no price", () => {
		expect(costOf({ promptTokens: 10 }, undefined)).toBeUndefined();
	});

	it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, "7", null])("is never anything but an amount, were a counter %o", (junk) => {
		const usage = { promptTokens: junk, completionTokens: junk, cachedTokens: junk } as never;
		expect(costOf(usage, PRICING)).toBe(0);
	});

	it("takes no more for cached than there was input", () => {
		expect(costOf({ promptTokens: 1_000_000, cachedTokens: 9_000_000 }, PRICING)).toBeCloseTo(0.3, 12);
	});
});

describe("estimateOf() and amountsOf()", () => {
	it("take an answer to be 4096 tokens where nobody limits it", () => {
		expect(estimateOf({ promptTokens: 10.2 })).toEqual({ promptTokens: 11, completionTokens: 4_096 });
		expect(estimateOf({ promptTokens: 10, maxOutputTokens: 100 })).toEqual({ promptTokens: 10, completionTokens: 100 });
	});

	const estimate = estimateOf({ promptTokens: 100, maxOutputTokens: 50 });

	it("count what was reported, and for what was not the estimate", () => {
		expect(amountsOf({ promptTokens: 7, completionTokens: 2 }, estimate, undefined)).toEqual({ tokens: 9 });
		expect(amountsOf({ completionTokens: 2 }, estimate, undefined)).toEqual({ tokens: 102 });
		expect(amountsOf(undefined, estimate, { inputPerMillion: 1, outputPerMillion: 2 })).toEqual({ tokens: 150, cost: 0.0002 });
		expect(amountsOf({ promptTokens: 0, completionTokens: 0 }, estimate, PRICING)).toEqual({ tokens: 0, cost: 0 });
		expect(amountsOf({ promptTokens: Number.NaN, completionTokens: -1 } as never, estimate, undefined)).toEqual({
			tokens: 150,
		});
	});
});

describe("budgetLimits()", () => {
	it("are those that were asked for", () => {
		expect(budgetLimits({})).toEqual({});
		expect(budgetLimits({ tokenBudget: 1_000, pricing: PRICING })).toEqual({ tokens: 1_000 });
		expect(budgetLimits({ costBudget: 0.5, pricing: PRICING })).toEqual({ cost: 0.5 });
	});

	it.each([
		[{ tokenBudget: 0 }, "tokenBudget must be a whole number of tokens, 1 or more, got 0"],
		[{ tokenBudget: 1.5 }, "tokenBudget"],
		[{ tokenBudget: "1000" }, "tokenBudget"],
		[{ tokenBudget: Number.POSITIVE_INFINITY }, "tokenBudget"],
		[{ costBudget: 0, pricing: PRICING }, "costBudget must be US dollars, more than 0, got 0"],
		[{ costBudget: Number.NaN, pricing: PRICING }, "costBudget"],
		[{ costBudget: "1", pricing: PRICING }, "costBudget"],
		[{ costBudget: 1 }, "A costBudget needs prices"],
		[{ pricing: { inputPerMillion: 1 } }, "pricing.outputPerMillion must be US dollars for a million tokens, 0 or more, got undefined"],
		[{ pricing: { ...PRICING, inputPerMillion: -1 } }, "pricing.inputPerMillion"],
		[{ pricing: { ...PRICING, cachedInputPerMillion: null } }, "pricing.cachedInputPerMillion"],
		[{ pricing: { ...PRICING, outputPerMilion: 1 } }, 'Did you mean "outputPerMillion"?'],
		[{ pricing: 3 }, "pricing takes options, got 3"],
		[{ pricing: null }, "pricing takes options, got null"],
	])("throw ConfigurationError for %o", (options, message) => {
		expect(() => budgetLimits(options as BudgetOptions)).toThrow(message);
		expect(() => budgetLimits(options as BudgetOptions)).toThrow(ConfigurationError);
	});
});
