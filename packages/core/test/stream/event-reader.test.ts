import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { StreamError } from "../../src/errors/stream-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { EventReader } from "../../src/stream/event-reader.js";
import type { EventsOptions } from "../../src/stream/readable-log.js";
import { delta, differenceFrom, isSettled, numbered, numbersOf, read, readAll } from "./log-events.js";

/** A log without a history, so that whatever keeps it from being unheard is a listener or a reader. */
function logAndReader(options: EventsOptions = {}): { log: EventLog; reader: EventReader } {
	const log = new EventLog({ history: 0 });
	return { log, reader: log.events(options) };
}

const publishDeltas = (log: EventLog, from: number, to: number): void => {
	for (let number = from; number <= to; number += 1) log.publish(delta(number));
};

const END = { done: true, value: undefined };

describe("An EventReader", () => {
	it("reads from now on until the stream ends, each event the very one that was published", async () => {
		const log = new EventLog();
		log.publish(numbered(1));
		const reader = log.events();
		const published = [numbered(2), delta(3), numbered(4, "stream.ended")];
		for (const event of published) log.publish(event);
		const events = await readAll(reader);
		expect(events.map((event, index) => Object.is(event, published[index]))).toEqual([true, true, true]);
		expect(await reader.next()).toEqual(END);
	});

	it("answers several questions at once in their order, and those that are left with the end", async () => {
		const { log, reader } = logAndReader();
		const answers = [reader.next(), reader.next(), reader.next(), reader.next()];
		for (const number of [1, 2]) log.publish(numbered(number));
		log.publish(numbered(3, "stream.ended"));
		expect((await Promise.all(answers)).map(({ value }) => value?.sequenceNumber)).toEqual([1, 2, 3, undefined]);
		expect(await answers[3]).toEqual(END);
	});

	it("keeps nothing waiting while somebody asks: a reader that keeps up gets every delta, at any capacity", async () => {
		const { log, reader } = logAndReader({ capacity: 1 });
		const got: number[] = [];
		const reading = (async () => {
			for await (const { sequenceNumber } of reader) got.push(sequenceNumber);
		})();
		for (let number = 1; number <= 50; number += 1) {
			log.publish(delta(number));
			await isSettled(Promise.resolve());
		}
		log.publish(numbered(51, "stream.ended"));
		await reading;
		expect(got).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
	});

	it.each<[string, (reader: EventReader) => Promise<unknown>]>([
		["with break", async (reader) => { for await (const _ of reader) break; }], // biome-ignore format: one line
		["with a throw", async (reader) => { try { for await (const _ of reader) throw new Error("enough"); } catch {} }], // biome-ignore format: one line
		["with return()", async (reader) => { await reader.next(); await reader.return(); }], // biome-ignore format: one line
		["by going out of scope", async (reader) => { await using left = reader; await left.next(); }], // biome-ignore format: one line
	])("left early %s is forgotten by the log, and disturbs no other", async (_, leave) => {
		const { log, reader } = logAndReader();
		const other = log.events();
		for (const number of [1, 2, 3]) log.publish(numbered(number));
		await leave(reader);
		expect(await reader.next()).toEqual(END);
		log.publish(numbered(4, "stream.ended"));
		expect(await reader.next()).toEqual(END);
		expect(numbersOf(await readAll(other))).toEqual([1, 2, 3, 4]);
		expect(log.isHeard).toBe(false);
	});

	it("left while questions are open answers them with the end", async () => {
		const { log, reader } = logAndReader();
		const answers = [reader.next(), reader.next()];
		expect(await reader.return()).toEqual(END);
		expect(await Promise.all(answers)).toEqual([END, END]);
		expect(await reader.return()).toEqual(END);
		expect(log.isHeard).toBe(false);
	});

	it("left drops what it was given from the history too", async () => {
		const log = new EventLog();
		publishDeltas(log, 1, 3);
		const reader = log.events({ after: 0 });
		await reader.return();
		expect(await reader.next()).toEqual(END);
	});

	it("of a log that has ended ends at once, and is not kept", async () => {
		const log = new EventLog({ history: 0 });
		log.publish(numbered(1, "stream.ended"));
		expect(await readAll(log.events())).toEqual([]);
		expect(log.isHeard).toBe(false);
	});

	it.each([
		{ capacity: 0 },
		{ capacity: 1.5 },
		{ capacity: Number.NaN },
		{ maxWaitingCharacters: 0 },
		{ maxWaitingCharacters: 1.5 },
		{ maxWaitingCharacters: "all" as never },
		{ overflow: "drop" as never },
		{ overflow: {} as never },
		{ after: -1 },
		{ after: Number.NaN },
		{ after: 0.5 },
	])("is not made with %j", (options) => {
		const log = new EventLog({ history: 0 });
		expect(() => log.events(options)).toThrow(ConfigurationError);
		expect(log.isHeard).toBe(false);
	});
});

describe.each(["coalesce", "block", "error"] as const)('What waits for a reader with overflow "%s"', (overflow) => {
	const MIB = 1024 * 1024;
	const result = (number: number, characters: number) =>
		numbered(number, "part.completed", { partId: `p${number}`, type: "tool-output", result: "x".repeat(characters) });

	/** What a reader gets, and the word it fails with. */
	async function outcome(reader: EventReader): Promise<{ numbers: number[]; code: string | undefined }> {
		const numbers: number[] = [];
		try {
			for await (const { sequenceNumber } of reader) numbers.push(sequenceNumber);
		} catch (error) {
			return { numbers, code: StreamError.isInstance(error) ? error.code : String(error) };
		}
		return { numbers, code: undefined };
	}

	/** A reader that has begun, and now sleeps. */
	async function sleeper(options: EventsOptions = {}): Promise<{ log: EventLog; reader: EventReader }> {
		const { log, reader } = logAndReader({ overflow, ...options });
		log.publish(numbered(1));
		await reader.next();
		return { log, reader };
	}

	it("is 16 Mi characters at most; then it reads what waited, and is told; the log goes on without it", async () => {
		const { log, reader } = await sleeper();
		for (let number = 2; number <= 40; number += 1) log.publish(result(number, MIB));
		expect([log.isHeard, log.lastSequenceNumber]).toEqual([false, 40]);
		const { numbers, code } = await outcome(reader);
		expect(code).toBe("stream_overflow");
		expect(numbers.length).toBeGreaterThanOrEqual(15);
		expect(numbers.length).toBeLessThanOrEqual(18);
		expect(numbers).toEqual(numbers.map((_, index) => index + 2));
		expect(await reader.next()).toEqual(END);
	});

	it("is as many characters as it allows, wherever in the data they are", async () => {
		const { log, reader } = await sleeper({ maxWaitingCharacters: 10_000 });
		for (let number = 2; number <= 6; number += 1) log.publish(numbered(number, "my.own", { deep: [{ text: "x".repeat(2_500) }] }));
		expect((await outcome(reader)).code).toBe("stream_overflow");
		const roomy = await sleeper({ maxWaitingCharacters: 20_000 });
		for (let number = 2; number <= 6; number += 1) roomy.log.publish(numbered(number, "my.own", { deep: [{ text: "x".repeat(2_500) }] }));
		roomy.log.publish(numbered(7, "stream.ended"));
		expect(await outcome(roomy.reader)).toEqual({ numbers: [2, 3, 4, 5, 6, 7], code: undefined });
	});

	it("may be one event of any length with what comes right before and behind it: no reader keeps up within a turn", async () => {
		const { log, reader } = await sleeper({ maxWaitingCharacters: MIB });
		for (const event of [numbered(2), result(3, 40 * MIB), numbered(4), numbered(5, "stream.ended")]) log.publish(event);
		expect(await outcome(reader)).toEqual({ numbers: [2, 3, 4, 5], code: undefined });
	});

	it("is counted anew once it was read", async () => {
		const { log, reader } = await sleeper({ maxWaitingCharacters: 5_000 });
		for (let number = 2; number <= 100; number += 1) {
			log.publish(result(number, 4_000));
			expect((await reader.next()).value?.sequenceNumber).toBe(number);
		}
		log.publish(numbered(101, "stream.ended"));
		expect((await outcome(reader)).code).toBeUndefined();
	});

	it("is no more for an event that was long and has been read", async () => {
		const { log, reader } = await sleeper({ maxWaitingCharacters: 5_000 });
		log.publish(result(2, MIB));
		await reader.next();
		for (let number = 3; number <= 10; number += 1) log.publish(result(number, 2_000));
		expect((await outcome(reader)).code).toBe("stream_overflow");
	});

	it("is let go where it never began to read: it is told of the overflow alone", async () => {
		const { log, reader } = logAndReader({ overflow });
		for (let number = 1; number <= 40; number += 1) log.publish(result(number, MIB));
		expect(await outcome(reader)).toEqual({ numbers: [], code: "stream_overflow" });
	});

	it("holds nobody up once there was too much of it", async () => {
		const { log, reader } = await sleeper({ maxWaitingCharacters: 1_000, capacity: 1 });
		log.publish(result(2, 900));
		const { room } = log;
		for (const number of [3, 4]) log.publish(result(number, 900));
		expect(room === undefined || (await isSettled(room))).toBe(true);
		expect(log.room).toBeUndefined();
		expect((await outcome(reader)).code).toBe("stream_overflow");
	});
});

describe.each(["coalesce", "block"] as const)('The number of events that wait for a reader with overflow "%s"', (overflow) => {
	it.each([
		[1, 16_384],
		[2_048, 32_768],
	])("is, with the capacity %i, about %i of those that cannot be merged", async (capacity, most) => {
		const { log, reader } = logAndReader({ overflow, capacity });
		log.publish(numbered(1));
		await reader.next();
		for (let number = 2; number <= most + 1; number += 1) log.publish(numbered(number));
		expect(log.isHeard).toBe(true);
		for (let number = most + 2; number <= 2 * most + 3; number += 1) log.publish(numbered(number));
		expect(log.isHeard).toBe(false);
		const got = await read(reader, most);
		expect(got).toHaveLength(most);
		await expect(readAll(reader)).rejects.toMatchObject({ code: "stream_overflow" });
	});
});

describe('A reader with overflow "coalesce"', () => {
	it("that sleeps through 100,000 deltas of parts that grow together reads as many events as there are parts, and all the text", async () => {
		const { log, reader } = logAndReader({ capacity: 16 });
		const published = Array.from({ length: 100_000 }, (_, index) => delta(index + 1, `${index};`, `part-${index % 4}`));
		for (const event of published) log.publish(event);
		log.publish(numbered(100_001, "stream.ended"));
		const events = await readAll(reader);
		expect(events.length).toBeLessThan(40);
		expect(differenceFrom([...published, numbered(100_001, "stream.ended")], events.slice(0, -1).concat(events.slice(-1)))).toMatch(
			/structural/,
		);
		expect(events.at(-1)?.event).toBe("stream.ended");
		expect(differenceFrom(published, events.slice(0, -1))).toBeUndefined();
	});

	it("never has to be waited for", async () => {
		const { log, reader } = logAndReader({ capacity: 1 });
		await Promise.race([reader.next(), isSettled(Promise.resolve())]);
		publishDeltas(log, 1, 100);
		expect(log.room).toBeUndefined();
	});
});

describe('A reader with overflow "error"', () => {
	it("is told of what waits and then of the overflow, once; the log goes on without it", async () => {
		const { log, reader } = logAndReader({ overflow: "error", capacity: 3 });
		const other = log.events();
		publishDeltas(log, 1, 5);
		expect(numbersOf(await read(reader, 3))).toEqual([1, 2, 3]);
		const failure = await reader.next().catch((error: unknown) => error);
		expect(StreamError.isInstance(failure) && failure.code).toBe("stream_overflow");
		expect(await reader.next()).toEqual(END);
		log.publish(numbered(6, "stream.ended"));
		expect((await readAll(other)).at(-1)?.event).toBe("stream.ended");
	});

	it("does not overflow by the last event that there is room for", async () => {
		const { log, reader } = logAndReader({ overflow: "error", capacity: 3 });
		publishDeltas(log, 1, 2);
		log.publish(numbered(3, "stream.ended"));
		expect(numbersOf(await readAll(reader))).toEqual([1, 2, 3]);
	});

	it("left after the overflow is told of nothing more", async () => {
		const { log, reader } = logAndReader({ overflow: "error", capacity: 1 });
		publishDeltas(log, 1, 2);
		expect(log.isHeard).toBe(false);
		await reader.return();
		expect(await reader.next()).toEqual(END);
	});

	it("may be given more than its capacity from the history, and then as much again", async () => {
		const log = new EventLog({ history: 100 });
		publishDeltas(log, 1, 50);
		const reader = log.events({ after: 0, overflow: "error", capacity: 2 });
		publishDeltas(log, 51, 52);
		expect(numbersOf(await read(reader, 52))).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
		publishDeltas(log, 53, 55);
		expect(numbersOf(await read(reader, 2))).toEqual([53, 54]);
		await expect(reader.next()).rejects.toMatchObject({ code: "stream_overflow" });
	});
});

describe('A reader with overflow "block"', () => {
	it("holds up nobody before it asks for its first event", () => {
		const { log } = logAndReader({ overflow: "block", capacity: 2 });
		publishDeltas(log, 1, 10);
		expect(log.room).toBeUndefined();
	});

	const blocked = async (): Promise<{ log: EventLog; reader: EventReader; room: Promise<void> }> => {
		const { log, reader } = logAndReader({ overflow: "block", capacity: 2 });
		log.publish(numbered(1));
		await reader.next();
		expect(log.room).toBeUndefined();
		for (const number of [2, 3]) log.publish(numbered(number));
		const { room } = log;
		expect(room).toBeInstanceOf(Promise);
		expect(await isSettled(room as Promise<void>)).toBe(false);
		return { log, reader, room: room as Promise<void> };
	};

	it.each<[string, (reader: EventReader, log: EventLog) => unknown]>([
		["it reads one", (reader) => reader.next()],
		["it is left", (reader) => reader.return()],
		["the log ends", (_, log) => log.publish(numbered(4, "stream.ended"))],
	])("holds up until %s", async (_, deed) => {
		const { log, reader, room } = await blocked();
		await deed(reader, log);
		expect(await isSettled(room)).toBe(true);
		expect(log.room).toBeUndefined();
	});

	it("is still told everything where nobody waits for it", async () => {
		const { log, reader } = await blocked();
		for (let number = 4; number < 100; number += 1) log.publish(numbered(number));
		log.publish(numbered(100, "stream.ended"));
		expect(numbersOf(await readAll(reader))).toEqual(Array.from({ length: 99 }, (_, index) => index + 2));
	});

	it("several hold up until the last of them has room", async () => {
		const log = new EventLog({ history: 0 });
		const readers = [1, 2, 3].map(() => log.events({ overflow: "block", capacity: 1 }));
		log.publish(numbered(1));
		for (const reader of readers) await reader.next();
		log.publish(numbered(2));
		const room = log.room as Promise<void>;
		for (const reader of readers.slice(0, 2)) {
			await reader.next();
			expect(await isSettled(room)).toBe(false);
		}
		await readers[2]?.return();
		expect(await isSettled(room)).toBe(true);
	});

	it("that fills again before the others have room still holds up", async () => {
		const log = new EventLog({ history: 0 });
		const [first, second] = [1, 2].map(() => log.events({ overflow: "block", capacity: 1 })) as [EventReader, EventReader];
		log.publish(numbered(1));
		await Promise.all([first.next(), second.next()]);
		log.publish(numbered(2));
		const room = log.room as Promise<void>;
		await first.next();
		log.publish(numbered(3));
		await second.next();
		await second.next();
		expect(await isSettled(room)).toBe(false);
		await first.next();
		expect(await isSettled(room)).toBe(true);
	});

	it("does not count what it is given from the history", async () => {
		const log = new EventLog();
		publishDeltas(log, 1, 50);
		const reader = log.events({ after: 0, overflow: "block", capacity: 2 });
		await reader.next();
		expect(log.room).toBeUndefined();
	});
});
