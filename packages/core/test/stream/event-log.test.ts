import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { StreamError } from "../../src/errors/stream-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { EventReader } from "../../src/stream/event-reader.js";
import { SequenceCounter } from "../../src/stream/sequence-counter.js";
import { StreamContext } from "../../src/stream/stream-context.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import type { Subscription } from "../../src/stream/subscription.js";
import { delta, numbered, numbersOf, readAll } from "./log-events.js";
import { warningsDuring } from "./publishing.js";

const publish = (log: EventLog, ...numbers: readonly number[]): void => {
	for (const number of numbers) log.publish(numbered(number));
};

/** A listener, and the numbers it was told of. */
function heardBy(log: EventLog, then: (event: StreamEvent) => unknown = () => {}): { numbers: number[]; subscription: Subscription } {
	const numbers: number[] = [];
	const subscription = log.subscribe((event) => {
		numbers.push(event.sequenceNumber);
		return then(event);
	});
	return { numbers, subscription };
}

describe("EventLog.publish()", () => {
	it("tells listeners at once, of the very event, in the order in which they came", () => {
		const log = new EventLog();
		const told: [string, unknown][] = [];
		log.subscribe((event) => told.push(["first", event]));
		log.subscribe((event) => told.push(["second", event]));
		const event = numbered(1);
		log.publish(event);
		expect(told.map(([who, what]) => [who, Object.is(what, event)])).toEqual([["first", true], ["second", true]]); // biome-ignore format: pairs
		expect(Object.is(log.after(0)[0], event)).toBe(true);
	});

	it("drops what repeats or comes too late, and what has no number", () => {
		const log = new EventLog();
		const { numbers } = heardBy(log);
		publish(log, 1, 1, 3, 2, 3, Number.NaN, 0, -1, 3.5, "4" as never, 4);
		expect([numbers, numbersOf(log.after(0)), log.lastSequenceNumber]).toEqual([[1, 3, 4], [1, 3, 4], 4]);
	});

	it("drops what is published behind stream.ended, and lets go of everybody", async () => {
		const log = new EventLog({ history: 0 });
		const { numbers } = heardBy(log);
		const reader = log.events();
		publish(log, 1);
		log.publish(numbered(2, "stream.ended"));
		publish(log, 3);
		log.skip(9);
		expect([numbers, log.ended, log.lastSequenceNumber, log.isHeard]).toEqual([[1, 2], true, 2, false]);
		expect(numbersOf(await readAll(reader))).toEqual([1, 2]);
	});

	it("may be handed on alone", () => {
		const log = new EventLog();
		const context = new StreamContext({ runId: "r", messageId: "m", scope: "s", publish: log.publish });
		context.createChildContext("below").publishEvent({ event: "run.started" });
		expect(log.lastSequenceNumber).toBe(1);
	});
});

describe("A listener of an EventLog", () => {
	it.each<[string, () => unknown]>([
		["throws", () => { throw new Error("broken"); }], // biome-ignore format: one line
		["rejects", async () => Promise.reject(new Error("broken"))],
		["never has done", () => new Promise(() => {})],
		["throws what has no text", () => { throw Object.create(null); }], // biome-ignore format: one line
	])("that %s changes nothing for anybody, itself included", async (_, fails) => {
		const log = new EventLog({ onListenerError: () => {} });
		const reader = log.events();
		const [before, failing, after] = [heardBy(log), heardBy(log, fails), heardBy(log)];
		await warningsDuring(() => publish(log, 1, 2));
		log.publish(numbered(3, "stream.ended"));
		for (const { numbers } of [before, failing, after]) expect(numbers).toEqual([1, 2, 3]);
		expect(numbersOf(await readAll(reader))).toEqual([1, 2, 3]);
	});

	it("that fails is told of to onListenerError each time, or else the process is warned once for each", async () => {
		const failures: unknown[] = [];
		const told = new EventLog({ onListenerError: (error) => failures.push(error) });
		told.subscribe(() => { throw "a"; }); // biome-ignore format: one line
		told.subscribe(async () => Promise.reject("b"));
		expect(await warningsDuring(() => publish(told, 1, 2))).toEqual([]);
		expect(failures.sort()).toEqual(["a", "a", "b", "b"]);
		const untold = new EventLog();
		for (const error of ["a", "b"]) untold.subscribe(() => { throw error; }); // biome-ignore format: one line
		const warnings = await warningsDuring(() => publish(untold, 1, 2, 3));
		expect(warnings.map(({ code }) => code)).toEqual(["ROBOT_LAB_LISTENER_FAILED", "ROBOT_LAB_LISTENER_FAILED"]);
		expect(warnings[0]?.message).toMatch(/: a$/);
	});

	it.each<[string, () => unknown]>([
		["throws", () => { throw new Error("hook"); }], // biome-ignore format: one line
		["rejects", async () => Promise.reject(new Error("hook"))],
	])("may fail together with an onListenerError that %s", async (_, onListenerError) => {
		const log = new EventLog({ onListenerError });
		log.subscribe(() => { throw new Error("broken"); }); // biome-ignore format: one line
		const { numbers } = heardBy(log);
		const warnings = await warningsDuring(() => publish(log, 1, 2));
		expect(numbers).toEqual([1, 2]);
		expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("hook")]);
	});

	it("may stop itself, and those that come after it, from within: who is not told yet is not told", () => {
		const log = new EventLog();
		const all: { numbers: number[]; subscription: Subscription }[] = [];
		const first = heardBy(log, ({ sequenceNumber }) => {
			if (sequenceNumber !== 2) return;
			for (const { subscription } of all) subscription.unsubscribe();
		});
		all.push(first, heardBy(log), heardBy(log));
		const last = heardBy(log);
		publish(log, 1, 2, 3);
		expect(all.map(({ numbers }) => numbers)).toEqual([[1, 2], [1], [1]]);
		expect(last.numbers).toEqual([1, 2, 3]);
	});

	it("that is added from within is told from the next event on", () => {
		const log = new EventLog();
		let added: number[] = [];
		heardBy(log, ({ sequenceNumber }) => {
			if (sequenceNumber === 2) added = heardBy(log).numbers;
		});
		publish(log, 1, 2, 3, 4);
		expect(added).toEqual([3, 4]);
	});

	it("that is added from within while stream.ended is told of is told nothing, and not kept", () => {
		const log = new EventLog({ history: 0 });
		let added: number[] = [];
		heardBy(log, ({ event }) => {
			if (event === "stream.ended") added = heardBy(log).numbers;
		});
		log.publish(numbered(1, "stream.ended"));
		expect([added, log.isHeard]).toEqual([[], false]);
	});

	it("may be the same function twice, and stops once at a time", () => {
		const log = new EventLog();
		const numbers: number[] = [];
		const listener = ({ sequenceNumber }: StreamEvent): unknown => numbers.push(sequenceNumber);
		const [one] = [log.subscribe(listener), log.subscribe(listener)];
		publish(log, 1);
		one?.unsubscribe();
		one?.unsubscribe();
		publish(log, 2);
		expect(numbers).toEqual([1, 1, 2]);
	});

	it("stops with its scope, and its subscription has an id of its own", () => {
		const log = new EventLog({ history: 0 });
		const ids = new Set<string>();
		for (let count = 0; count < 3; count += 1) {
			using subscription = log.subscribe(() => {});
			ids.add(subscription.id);
			expect(log.isHeard).toBe(true);
		}
		expect([ids.size, log.isHeard]).toEqual([3, false]);
	});

	it("that comes after the end is not kept", () => {
		const log = new EventLog({ history: 0 });
		log.publish(numbered(1, "stream.ended"));
		const { subscription } = heardBy(log);
		expect(log.isHeard).toBe(false);
		subscription.unsubscribe();
	});
});

describe("A listener that publishes", () => {
	/** A log whose first listener answers each of some events with another. */
	function answering(answers: Readonly<Record<string, string>>, history = 100): { log: EventLog; context: StreamContext; first: number[] } {
		const log = new EventLog({ history });
		const context = new StreamContext({ runId: "r", messageId: "m", scope: "s", publish: log.publish });
		const { numbers } = heardBy(log, ({ event }) => {
			const answer = answers[event];
			if (answer !== undefined) context.publishEvent({ event: answer });
		});
		return { log, context, first: numbers };
	}

	it("leaves the order for everybody: listeners before and behind it, readers, history", async () => {
		const { log, context, first } = answering({ "step.started": "metadata.updated", "metadata.updated": "step.completed" });
		const behind = heardBy(log);
		const reader = log.events();
		for (const event of ["step.started", "usage.updated", "stream.ended"]) context.publishEvent({ event });
		const wanted = [1, 2, 3, 4, 5];
		expect([first, behind.numbers, numbersOf(log.after(0)), numbersOf(await readAll(reader))]).toEqual([wanted, wanted, wanted, wanted]);
		expect(log.after(0).map(({ event }) => event)).toEqual([
			"step.started",
			"metadata.updated",
			"step.completed",
			"usage.updated",
			"stream.ended",
		]);
	});

	it("may publish the end: everybody is told of it, and of nothing behind", async () => {
		const { log, context, first } = answering({ "run.completed": "stream.ended", "stream.ended": "text.delta" });
		const behind = heardBy(log, ({ event }) => {
			if (event === "run.completed") context.publishEvent({ event: "text.delta" });
		});
		const reader = log.events();
		context.publishEvent({ event: "run.completed" });
		expect([first, behind.numbers, numbersOf(await readAll(reader)), log.ended]).toEqual([[1, 2], [1, 2], [1, 2], true]);
	});

	it("and adds a listener or a reader is within what it was told of: they get what comes behind, once", async () => {
		const log = new EventLog();
		const context = new StreamContext({ runId: "r", messageId: "m", scope: "s", publish: log.publish });
		const readers: EventReader[] = [];
		const late: number[][] = [];
		heardBy(log, ({ event }) => {
			if (event !== "step.started") return;
			context.publishEvent({ event: "metadata.updated" });
			context.publishEvent({ event: "stream.ended" });
			late.push(heardBy(log).numbers);
			readers.push(log.events(), log.events({ after: 0 }), log.events({ after: 1 }), log.events({ after: 2 }));
		});
		context.publishEvent({ event: "run.started" });
		context.publishEvent({ event: "step.started" });
		expect(late).toEqual([[3, 4]]);
		expect(await Promise.all(readers.map(async (reader) => numbersOf(await readAll(reader))))).toEqual([[3, 4], [1, 2, 3, 4], [2, 3, 4], [3, 4]]); // biome-ignore format: one line
	});

	it("may skip: what it published before is still told of, what it publishes then comes behind", () => {
		const log = new EventLog({ history: 0 });
		let late: number[] = [];
		const { numbers } = heardBy(log, ({ sequenceNumber }) => {
			if (sequenceNumber === 4) log.skip(5);
			if (sequenceNumber !== 1) return;
			publish(log, 2);
			log.skip(3);
			late = heardBy(log).numbers;
			publish(log, 3, 4);
		});
		publish(log, 1);
		expect([numbers, late]).toEqual([
			[1, 2, 4],
			[2, 4],
		]);
		expect([log.lastSequenceNumber, log.holds(5), log.holds(4)]).toEqual([5, true, false]);
	});

	it("may do so ten thousand times in a row without running out of stack", () => {
		const log = new EventLog({ history: 0 });
		const { numbers } = heardBy(log, ({ sequenceNumber }) => {
			if (sequenceNumber < 10_000) publish(log, sequenceNumber + 1);
		});
		publish(log, 1);
		expect(numbers).toHaveLength(10_000);
	});
});

describe("EventLog.isHeard", () => {
	it("is true while there is a history, a reader, or a listener that wants deltas", () => {
		expect(new EventLog().isHeard).toBe(true);
		const log = new EventLog({ history: 0 });
		expect(log.isHeard).toBe(false);
		let wants = false;
		const subscription = log.subscribe(() => {}, { wantsDeltas: () => wants });
		expect(log.isHeard).toBe(false);
		wants = true;
		expect(log.isHeard).toBe(true);
		subscription.unsubscribe();
		expect(log.isHeard).toBe(false);
	});

	it("takes a listener whose answer fails for one that wants them", () => {
		const log = new EventLog({ history: 0 });
		log.subscribe(() => {}, { wantsDeltas: () => { throw new Error("no"); } }); // biome-ignore format: one line
		expect(log.isHeard).toBe(true);
	});

	it("is false again once a thousand listeners and readers have come and gone", async () => {
		const log = new EventLog({ history: 0 });
		const subscriptions = Array.from({ length: 1_000 }, () => log.subscribe(() => {}));
		const readers = Array.from({ length: 1_000 }, (_, index) => log.events({ overflow: index % 2 === 0 ? "block" : "error", capacity: 1 }));
		publish(log, 1, 2);
		for (const subscription of subscriptions) subscription.unsubscribe();
		for (const reader of readers) await reader.return();
		expect(log.isHeard).toBe(false);
	});
});

describe("EventLog.after() and holds()", () => {
	const log = new EventLog({ history: 3 });
	publish(log, 1, 2, 3, 4, 5);

	it("gives what is kept behind a number, at most so many, and nothing behind the last", () => {
		expect(log.firstSequenceNumber).toBe(3);
		expect([numbersOf(log.after(2)), numbersOf(log.after(2, 2)), log.after(2, 0), log.after(5)]).toEqual([[3, 4, 5], [3, 4], [], []]);
		expect([1, 2, 3, 5, 6, -1, Number.NaN].map((number) => log.holds(number))).toEqual([false, true, true, true, false, false, false]);
	});

	it("throws events_gone where the next one is gone, and says how much is kept", () => {
		for (const ask of [() => log.after(1), () => log.events({ after: 0 })])
			expect(ask).toThrow(/behind [01] are not all kept.*oldest that is kept is 3/);
		const none = new EventLog({ history: 0 });
		publish(none, 1);
		expect(() => none.after(0)).toThrow(/None are kept/);
		expect(none.after(1)).toEqual([]);
	});

	it("throws events_gone for a number that is still to come, and says so", () => {
		const failure = (() => { try { log.after(6); } catch (error) { return error; } return undefined; })(); // biome-ignore format: one line
		expect(StreamError.isInstance(failure) && [failure.code, failure.message]).toEqual([
			"events_gone",
			expect.stringMatching(/no event 6.*last event is 5/),
		]);
	});

	it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1" as never])("throws for %s, which is no number of an event", (number) => {
		expect(() => log.after(number)).toThrow(ConfigurationError);
		expect(() => log.after(2, number)).toThrow(ConfigurationError);
	});

	it("0 is the beginning, where nothing was lost, though the numbers began higher", () => {
		const high = new EventLog({ history: 2 });
		const context = new StreamContext({
			runId: "r",
			messageId: "m",
			scope: "s",
			publish: high.publish,
			sequenceCounter: new SequenceCounter(100),
		});
		expect(high.after(0)).toEqual([]);
		for (let count = 0; count < 2; count += 1) context.publishEvent({ event: "data.delta" });
		expect([0, 50, 100, 101].map((number) => numbersOf(high.after(number)))).toEqual([[101, 102], [101, 102], [101, 102], [102]]);
		context.publishEvent({ event: "data.delta" });
		expect([0, 100, 101].map((number) => high.holds(number))).toEqual([false, false, true]);
	});

	it("takes an event that stands for several for the first of them", () => {
		const merged = new EventLog();
		for (const event of [
			{ ...delta(3), firstSequenceNumber: 1 },
			{ ...delta(7), firstSequenceNumber: 4 },
		])
			merged.publish(event);
		expect([0, 3].map((number) => numbersOf(merged.after(number)))).toEqual([[3, 7], [7]]);
	});

	it("is true of no number before one that was skipped", () => {
		const skipping = new EventLog({ history: 5 });
		publish(skipping, 1);
		skipping.skip(2);
		publish(skipping, 3);
		expect([0, 1, 2, 3].map((number) => skipping.holds(number))).toEqual([true, false, true, true]);
	});

	it.each([-1, 1.5, Number.NaN])("are not made with a history of %s", (history) => {
		expect(() => new EventLog({ history })).toThrow(/history must be a whole number of 0 or more/);
	});
});
