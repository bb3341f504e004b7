import { describe, expect, it } from "vitest";
import type { TokenUsage } from "../../src/stream/token-usage.js";
import type { OutputEvent } from "../../src/update/output-event.js";
import { usageTotals } from "../../src/update/usage-totals.js";

const used = (scope: "call" | "run", usage: TokenUsage, event: Partial<OutputEvent> = {}): OutputEvent => ({
	update: { sessionUpdate: "usage", scope, usage },
	...event,
});

describe("usageTotals()", () => {
	it("counts a run once, however often its messages and the run itself were reported", () => {
		const events = [
			used("call", { promptTokens: 17_543, completionTokens: 1 }, { messageId: "m1" }),
			used("call", { promptTokens: 17_543, completionTokens: 1 }, { messageId: "m1" }),
			used("call", { promptTokens: 17_681, completionTokens: 3 }, { messageId: "m2" }),
			used("run", { promptTokens: 35_224, completionTokens: 140, costUsd: 0.25, extra: { modelUsage: 447 } }, { messageId: "m2" }),
		];
		expect(usageTotals(events)).toStrictEqual({ promptTokens: 35_224, completionTokens: 140, costUsd: 0.25 });
	});

	it("takes the last usage of a message, and of a run", () => {
		const message = { messageId: "m" };
		expect(
			usageTotals([used("call", { promptTokens: 1, cachedTokens: 1 }, message), used("call", { promptTokens: 2 }, message)]),
		).toStrictEqual({
			promptTokens: 2,
		});
		expect(usageTotals([used("run", { promptTokens: 5 }), used("run", { promptTokens: 4 })])).toStrictEqual({ promptTokens: 4 });
	});

	it("takes a counter that the run did not report from its messages", () => {
		const events = [
			used("run", { completionTokens: 9 }),
			used("call", { promptTokens: 3, completionTokens: 1, costUsd: 0.5 }, { messageId: "m1" }),
			used("call", { promptTokens: 4, costUsd: 0.25 }, { messageId: "m2" }),
		];
		expect(usageTotals(events)).toStrictEqual({ promptTokens: 7, completionTokens: 9, costUsd: 0.75 });
	});

	it("adds up runs, whatever messages they name", () => {
		const events = [
			used("call", { promptTokens: 1 }, { runId: "a", messageId: "m" }),
			used("call", { promptTokens: 2 }, { runId: "b", messageId: "m" }),
			used("run", { promptTokens: 3 }, { runId: "b" }),
			used("call", { promptTokens: 10 }, { messageId: "m" }),
		];
		expect(usageTotals(events)).toStrictEqual({ promptTokens: 14 });
	});

	it("takes usages that name no message for one each, and the same event for the same", () => {
		const [one, other] = [used("call", { promptTokens: 1 }), used("call", { promptTokens: 1 })];
		expect(usageTotals([one, other, one])).toStrictEqual({ promptTokens: 2 });
		const numbered = () => used("call", { promptTokens: 1 }, { sequenceNumber: 7 });
		expect(usageTotals([numbered(), numbered()])).toStrictEqual({ promptTokens: 1 });
	});

	it("never makes 0 of what nobody reported", () => {
		expect(usageTotals([])).toStrictEqual({});
		expect(usageTotals([used("call", {}), used("run", {})])).toStrictEqual({});
		expect(usageTotals([used("call", { cachedTokens: 0 })])).toStrictEqual({ cachedTokens: 0 });
	});

	it("passes over what is no usage", () => {
		const junk = [undefined, null, 3, {}, { update: null }, { update: { sessionUpdate: "usage", scope: "call" } }];
		const odd = {
			promptTokens: -1,
			completionTokens: "3",
			cachedTokens: Number.NaN,
			costUsd: Number.POSITIVE_INFINITY,
		} as unknown as TokenUsage;
		expect(usageTotals([...(junk as OutputEvent[]), used("call", odd), used("run", odd), used("call", { promptTokens: 2 })])).toStrictEqual(
			{
				promptTokens: 2,
			},
		);
	});
});
