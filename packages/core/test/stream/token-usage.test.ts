import { expect, it } from "vitest";
import { sumUsage } from "../../src/stream/token-usage.js";

it("sumUsage() adds each counter up over those that have it, and leaves out what none has and what may not add up", () => {
	const usages = [
		{ promptTokens: 1, cachedTokens: 0, extra: { tier: 1 } },
		{ promptTokens: 2, costUsd: 0.25 },
		{ completionTokens: 4, costUsd: 0.5 },
	];
	expect(sumUsage(usages)).toStrictEqual({ promptTokens: 3, completionTokens: 4, cachedTokens: 0, costUsd: 0.75 });
	expect(sumUsage([])).toStrictEqual({});
});
