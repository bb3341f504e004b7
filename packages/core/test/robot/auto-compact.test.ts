import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { compactionOf } from "../../src/robot/auto-compact.js";
import { talk } from "../history/histories.js";

const holding = (tokens: number): LanguageModelV4Message[] => talk("x".repeat(tokens * 4 - 4), "Yes.");

describe("a history that fills its share of the model's window", () => {
	it.each([
		["with what was said alone", 499, ""],
		["together with the system prompt", 399, "x".repeat(400)],
	])("is to be made shorter from that token on, %s", (_, tokens, system) => {
		const compaction = compactionOf({ autoCompact: "context_window", contextWindow: 1_000, compactThreshold: 0.5 });
		const isDue = (count: number): boolean | undefined => compaction?.isDue({ history: holding(count), system, signal: undefined });
		expect([isDue(tokens), isDue(tokens + 1)]).toEqual([false, true]);
	});
});
