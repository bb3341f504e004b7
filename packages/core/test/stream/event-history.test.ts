import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventHistory } from "../../src/stream/event-history.js";
import { delta, measured, numbered, numbersOf } from "./log-events.js";

const historyOf = (events: number, characters: number, added: readonly ReturnType<typeof numbered>[]): EventHistory => {
	const history = new EventHistory({ events, characters });
	for (const event of added) history.add(...measured(event));
	return history;
};

describe("EventHistory", () => {
	it("keeps the last events, and gives those behind a number", () => {
		const history = historyOf(
			3,
			1e6,
			[1, 2, 3, 4, 5].map((number) => numbered(number)),
		);
		expect(history.firstNumber).toBe(3);
		expect([0, 2, 3, 5, 9].map((after) => numbersOf(history.after(after)))).toEqual([[3, 4, 5], [3, 4, 5], [4, 5], [], []]);
		expect(numbersOf(history.after(2, 2))).toEqual([3, 4]);
		expect(history.after(0, 0)).toEqual([]);
	});

	it("keeps none where it may keep none", () => {
		const history = historyOf(0, 1e6, [numbered(1)]);
		expect([history.limit, history.firstNumber, history.after(0)]).toEqual([0, undefined, []]);
	});

	it.each<[string, object]>([
		["a delta", { delta: "x".repeat(1_000) }],
		["arguments, parsed", { input: { files: [{ text: "x".repeat(1_000) }] } }],
		["a tool's own record", { rawOutput: [["x".repeat(1_000)]] }],
		["an entry of any name", { whatever: "x".repeat(1_000) }],
	])("keeps no more characters than it may, wherever in the data they are: %s", (_, data) => {
		const history = historyOf(
			1_000,
			5_500,
			Array.from({ length: 50 }, (__, index) => numbered(index + 1, "data.delta", data)),
		);
		expect(numbersOf(history.after(0))).toEqual([46, 47, 48, 49, 50]);
	});

	it("keeps the newest event however long it is, and drops it for the next", () => {
		const history = historyOf(10, 100, [numbered(1), delta(2, "x".repeat(1_000))]);
		expect(numbersOf(history.after(0))).toEqual([2]);
		history.add(...measured(numbered(3)));
		expect(numbersOf(history.after(0))).toEqual([3]);
	});

	it("counts what it drops as it counted it when it was added, though somebody changed it since", () => {
		const changing = { ...delta(1), data: { ...delta(1).data, delta: "x".repeat(80) } };
		const history = historyOf(1, 200, [changing]);
		(changing.data as { delta: string }).delta = "x".repeat(1e6);
		for (let number = 2; number < 9; number += 1) history.add(...measured(numbered(number)));
		const two = new EventHistory({ events: 2, characters: 200 });
		for (let number = 1; number < 9; number += 1) two.add(...measured(numbered(number)));
		expect(numbersOf(two.after(0))).toEqual([7, 8]);
		expect(numbersOf(history.after(0))).toEqual([8]);
	});

	it("does not run out of stack on data nested without end", () => {
		let deep: unknown = 0;
		for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
		expect(historyOf(2, 100, [numbered(1, "data.delta", { deep })]).firstNumber).toBe(1);
	});

	it("is the tail of what was added, whatever the limits", () => {
		const limits = fc.record({ events: fc.integer({ min: 1, max: 40 }), characters: fc.integer({ min: 1, max: 2_000 }) });
		fc.assert(
			fc.property(limits, fc.array(fc.nat(300), { maxLength: 200 }), fc.nat(250), fc.nat(50), (limit, lengths, after, most) => {
				const added = lengths.map((length, index) => delta(index + 1, "x".repeat(length)));
				const history = historyOf(limit.events, limit.characters, added);
				const size = (event: (typeof added)[number]): number =>
					Object.values(event.data).reduce<number>((sum, text) => sum + String(text).length, 0);
				const model: typeof added = [];
				for (const event of added) {
					model.push(event);
					const characters = (): number => model.reduce((sum, each) => sum + size(each), 0);
					while (model.length > limit.events || (characters() > limit.characters && model.length > 1)) model.shift();
				}
				expect(history.after(after, most)).toEqual(model.filter(({ sequenceNumber }) => sequenceNumber > after).slice(0, most));
				expect(history.firstNumber).toBe(model[0]?.sequenceNumber);
			}),
		);
	});
});
