import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "../../src/stream/event-queue.js";
import type { PublishedEvent, StreamEvent } from "../../src/stream/stream-event.js";
import { asStream, delta, differenceFrom, measured, numbered, numbersOf } from "./log-events.js";

function drained(queue: EventQueue): StreamEvent[] {
	const events: StreamEvent[] = [];
	for (let event = queue.shift(); event !== undefined; event = queue.shift()) events.push(event);
	return events;
}

function queueOf(capacity: number, events: readonly PublishedEvent[]): EventQueue {
	const queue = new EventQueue({ capacity, characters: 1e9 });
	for (const event of events) queue.push(...measured(event));
	return queue;
}

/** A delta whose kind can be asked only so often: how often a queue looked at it. */
function counted(event: PublishedEvent, look: () => void): PublishedEvent {
	return Object.defineProperty({ ...event }, "event", {
		enumerable: true,
		get: () => {
			look();
			return event.event;
		},
	});
}

describe("EventQueue", () => {
	it("gives the very events that came, in their order, while no more wait than its capacity", () => {
		const events = [1, 2, 3, 4].map((number) => delta(number));
		const queue = queueOf(4, events);
		expect([queue.size, queue.isFull]).toEqual([4, true]);
		const got = drained(queue);
		expect(got.every((event, index) => asStream(event as never) === asStream(events[index] as never))).toBe(true);
		expect([got.length, queue.size, queue.isFull, queue.shift()]).toEqual([4, 0, false, undefined]);
	});

	it("makes the deltas of one part one over its capacity: the last, with the whole text and the range of numbers, frozen", () => {
		const [merged, ...rest] = drained(queueOf(2, [delta(3, "a"), delta(4, "b"), delta(5, "c")]));
		expect(rest).toEqual([]);
		expect(merged).toStrictEqual({ ...delta(5, "abc"), firstSequenceNumber: 3 });
		expect(Object.isFrozen(merged) && Object.isFrozen(merged?.data)).toBe(true);
	});

	it("goes on merging what was merged", () => {
		const [merged] = drained(
			queueOf(
				1,
				Array.from({ length: 50 }, (_, index) => delta(index + 1, String(index % 10))),
			),
		);
		expect(merged).toMatchObject({ firstSequenceNumber: 1, sequenceNumber: 50, data: { delta: "0123456789".repeat(5) } });
	});

	it("leaves a single delta between others what it is, without a range", () => {
		const events = drained(queueOf(1, [delta(1, "a", "p"), delta(2, "b", "q")]));
		expect(events).toStrictEqual([delta(1, "a", "p"), delta(2, "b", "q")]);
	});

	it("merges deltas of parts that grow at the same time, each at the place of its last", () => {
		const events = drained(queueOf(3, [delta(1, "a", "p"), delta(2, "A", "q"), delta(3, "b", "p"), delta(4, "B", "q")]));
		expect(events.map((event) => [event.firstSequenceNumber, event.sequenceNumber, (event.data as { delta: string }).delta])).toEqual([
			[1, 3, "ab"],
			[2, 4, "AB"],
		]);
	});

	it.each<[string, PublishedEvent]>([
		["an event that is no delta", numbered(2, "part.completed", { partId: "other" })],
		["one of another run", numbered(2, "run.completed", { runId: "run-2" })],
		["a name of somebody's own", numbered(2, "my.own", { delta: "x" })],
		["a delta that is no text", numbered(2, "data.delta", { partId: "part-1", delta: { a: 1 } })],
		["a delta with more than text beside it", numbered(2, "text.delta", { partId: "part-1", delta: "x", tokens: [1] })],
	])("merges nothing across %s", (_, between) => {
		expect(numbersOf(drained(queueOf(1, [delta(1), between, delta(3)])))).toEqual([1, 2, 3]);
	});

	it.each<[string, object]>([
		["part", { partId: "part-2" }],
		["run", { runId: "run-2" }],
		["message", { messageId: "message-2" }],
		["stream", { stream: "stderr" }],
		["entry of any name", { tokens: 3 }],
	])("does not merge deltas with another %s", (_, other) => {
		const second = numbered(2, "text.delta", { partId: "part-1", delta: "x", ...other });
		expect(drained(queueOf(1, [delta(1), second]))).toStrictEqual([delta(1), second]);
	});

	it("does not merge deltas that hold what cannot be compared", () => {
		const events = [1, 2].map((number) => numbered(number, "text.delta", { partId: "part-1", delta: "x", tokens: 1n }));
		expect(numbersOf(drained(queueOf(1, events)))).toEqual([1, 2]);
	});

	it("does not merge deltas of another kind", () => {
		const second = numbered(2, "reasoning.delta", { partId: "part-1", delta: "x" });
		expect(drained(queueOf(1, [delta(1), second]))).toHaveLength(2);
	});

	it("merges deltas without a part, as somebody may publish them who needs none", () => {
		const events = [1, 2].map((number) => numbered(number, "text.delta", { delta: "x" }));
		expect(drained(queueOf(1, events))).toMatchObject([{ firstSequenceNumber: 1, sequenceNumber: 2, data: { delta: "xx" } }]);
	});

	it("holds no more than its capacity and what is no delta, of 100,000 deltas of parts that grow at the same time", () => {
		const queue = new EventQueue({ capacity: 64, characters: 1e9 });
		let most = 0;
		let structural = 0;
		let isBounded = true;
		const texts = ["", "", ""];
		for (let number = 1; number <= 100_000; number += 1) {
			const part = number % 3;
			if (number % 1_000 === 0) {
				structural += 1;
				queue.push(...measured(numbered(number)));
			} else {
				texts[part] += `${number};`;
				queue.push(...measured(delta(number, `${number};`, `part-${part}`)));
			}
			most = Math.max(most, queue.size);
			// between two structural events at most one delta for each of the three parts
			isBounded &&= queue.size <= 2 * (64 + structural * 4 + 3);
		}
		expect(isBounded).toBe(true);
		expect(most).toBeLessThan(1_000);
		const got = drained(queue);
		expect(got.filter(({ event }) => event === "metadata.updated")).toHaveLength(100);
		expect(texts).toEqual([0, 1, 2].map((part) => got.map(({ data }) => data as { partId?: string; delta?: string }).filter(({ partId }) => partId === `part-${part}`).map((data) => data.delta).join(""))); // biome-ignore format: one line
	});

	it.each<[string, (number: number) => PublishedEvent]>([
		["deltas of one part", (number) => delta(number)],
		["deltas of 500 parts", (number) => delta(number, "x", `part-${number % 500}`)],
		["deltas of which each is a part of its own", (number) => delta(number, "x", `part-${number}`)],
		["events that are no delta", (number) => numbered(number)],
		["both by turns", (number) => (number % 2 === 0 ? numbered(number) : delta(number))],
	])("looks at an event only a few times however many wait: %s", (_, made) => {
		const queue = new EventQueue({ capacity: 16, characters: 1e9 });
		let looks = 0;
		const count = 20_000;
		for (let number = 1; number <= count; number += 1) {
			queue.push(...measured(counted(made(number), () => { looks += 1; }))); // biome-ignore format: one line
		}
		expect(looks).toBeLessThan(count * 8);
		expect(looks).toBeGreaterThan(count / 2);
	});

	it("merges as early as ever once a great heap of structural events has been read", () => {
		const queue = queueOf(
			8,
			Array.from({ length: 10_000 }, (_, index) => numbered(index + 1)),
		);
		for (let count = 0; count < 9_995; count += 1) queue.shift();
		for (let number = 10_001; number <= 20_000; number += 1) queue.push(...measured(delta(number)));
		expect(queue.size).toBeLessThan(32);
	});

	it("holds nothing that was taken, though it is never empty", async () => {
		const queue = new EventQueue({ capacity: 1_000, characters: 1e9 });
		const taken: WeakRef<object>[] = [];
		queue.push(...measured(numbered(1)));
		for (let number = 2; number < 5_000; number += 1) {
			queue.push(...measured(numbered(number)));
			taken.push(new WeakRef(queue.shift() as object));
		}
		const { setFlagsFromString } = await import("node:v8");
		const { runInNewContext } = await import("node:vm");
		setFlagsFromString("--expose-gc");
		await new Promise((resolve) => setImmediate(resolve));
		runInNewContext("gc")();
		expect(queue.size).toBe(1);
		expect(taken.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(10);
	});

	it("says the same as what was put in, however it is filled and emptied", () => {
		const step = fc.oneof(
			{ weight: 6, arbitrary: fc.record({ part: fc.nat(3), text: fc.string({ minLength: 1, maxLength: 3 }) }) },
			{ weight: 1, arbitrary: fc.constant("structural" as const) },
			{ weight: 3, arbitrary: fc.constant("take" as const) },
		);
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 200 }), (capacity, steps) => {
				const queue = new EventQueue({ capacity, characters: 1e9 });
				const log: PublishedEvent[] = [];
				const got: StreamEvent[] = [];
				for (const each of steps) {
					if (each === "take") got.push(...[queue.shift()].filter((event) => event !== undefined));
					else {
						const number = log.length + 1;
						log.push(each === "structural" ? numbered(number) : delta(number, each.text, `part-${each.part}`));
						queue.push(...measured(log[log.length - 1] as PublishedEvent));
					}
				}
				expect(differenceFrom(log, [...got, ...drained(queue)])).toBeUndefined();
			}),
			{ numRuns: 500 },
		);
	});
});
