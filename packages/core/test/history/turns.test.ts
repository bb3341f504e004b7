import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnsOf } from "../../src/history/turns.js";
import { faultsOf, histories, talk, work } from "./histories.js";

describe("turnsOf()", () => {
	it("begins a turn with each message of a user", () => {
		const [one, two, three] = [talk("a", "b"), work("c", "1", "d", "e"), talk("f", "g")];
		expect(turnsOf([...one, ...two, ...three])).toEqual([one, two, three]);
		expect(turnsOf([])).toEqual([]);
	});

	it("keeps what the provider answered in a later turn with its call, and what lies between", () => {
		const call = { type: "tool-call", toolCallId: "s", toolName: "search", input: {}, providerExecuted: true } as const;
		const result = { type: "tool-result", toolCallId: "s", toolName: "search", output: { type: "text", value: "x" } } as const;
		const asking: LanguageModelV4Message[] = [...talk("a", "b"), { role: "assistant", content: [call] }];
		const answered: LanguageModelV4Message[] = [...talk("e", "f"), { role: "assistant", content: [result] }];
		const [between, after] = [talk("c", "d"), talk("g", "h")];
		expect(turnsOf([...asking, ...between, ...answered, ...after])).toEqual([[...asking, ...between, ...answered], after]);
		expect(turnsOf([...asking, ...between])).toEqual([asking, between]);
	});

	it("takes a history apart so that any of its turns are a valid history, and all of them the same one", () => {
		fc.assert(
			fc.property(histories, fc.infiniteStream(fc.boolean()), (history, choices) => {
				const turns = turnsOf(history);
				expect(turns.flat()).toEqual(history);
				expect(faultsOf(turns.filter(() => choices.next().value).flat())).toEqual([]);
			}),
		);
	});
});
