import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { StreamError } from "../../src/errors/stream-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { type ReadEventsOptions, readEvents } from "../../src/transport/read-events.js";
import { writeEvents } from "../../src/transport/write-events.js";
import { addText, publishedRun } from "./published-run.js";
import { openFiles, temporaryDirectory } from "./temporary-directory.js";

const envelope = (sequenceNumber: number, more: object = {}): object => ({
	event: "my.own",
	data: { runId: "r", messageId: "m", scope: "robot" },
	timestamp: 1,
	sequenceNumber,
	id: `publish-${sequenceNumber}:my.own`,
	...more,
});

const line = (sequenceNumber: number, more?: object): string => JSON.stringify(envelope(sequenceNumber, more));

async function* bytes(text: string | Buffer): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text as string);
}

/** What was read, and what the reading ended with. */
async function read(text: string | Buffer, options?: ReadEventsOptions): Promise<{ events: StreamEvent[]; error: unknown }> {
	const events: StreamEvent[] = [];
	try {
		for await (const event of readEvents(bytes(text), options)) events.push(event);
	} catch (error) {
		return { events, error };
	}
	return { events, error: undefined };
}

function dataOf(event: StreamEvent | undefined): Readonly<Record<string, unknown>> {
	if (event === undefined) throw new Error("no event");
	return event.data as unknown as Readonly<Record<string, unknown>>;
}

const numbersOf = (events: readonly StreamEvent[]): number[] => events.map(({ sequenceNumber }) => sequenceNumber);

describe("readEvents", () => {
	it("gives a new log what the first one had, joined deltas with their range, by path and by URL", async () => {
		const text = fc.record({ part: fc.constantFrom("a", "b"), delta: fc.string({ unit: "binary" }), other: fc.boolean() });
		await using directory = await temporaryDirectory();
		let files = 0;
		let joined = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(text, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), async (deeds, capacity) => {
				files += 1;
				const path = directory.file(`${files}.jsonl`);
				const run = publishedRun();
				const written = writeEvents(run.log, path, { capacity });
				for (const { part, delta, other } of deeds) {
					run.text(part, delta);
					if (other) run.event("my.own", { deep: [{ delta }] });
				}
				run.end();
				await written;
				const log = new EventLog();
				for await (const event of readEvents(files % 2 === 0 ? path : pathToFileURL(path))) log.publish(event);
				const texts: Record<string, string> = {};
				for (const event of log.after(0)) {
					addText(texts, event);
					if (event.firstSequenceNumber !== undefined) joined += 1;
					else expect(event).toEqual(run.log.after(event.sequenceNumber - 1, 1)[0]);
				}
				expect(texts).toEqual(run.texts);
				expect(log.lastSequenceNumber).toBe(run.log.lastSequenceNumber);
				expect(log.ended).toBe(true);
			}),
			{ numRuns: 40 },
		);
		expect(joined).toBeGreaterThan(0);
	});

	it("reads what was written of a tool whose result has 40 MiB", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		const result = "x".repeat(40 * 1024 * 1024);
		const written = writeEvents(run.log, directory.file("run.jsonl"));
		run.event("part.completed", { partId: "p", type: "tool-output", toolCallId: "c", finalContent: "", result });
		run.end();
		await written;
		const read: StreamEvent[] = [];
		for await (const event of readEvents(directory.file("run.jsonl"))) read.push(event);
		// compared here, for a difference would be printed
		expect(dataOf(read[0]).result === result).toBe(true);
		expect(numbersOf(read)).toEqual([1, 2]);
	});

	it.each([undefined, null, 7, {}, [["line"]]])("refuses %j, and says what it reads", async (from) => {
		const reading = readEvents(from as never).next();
		await expect(reading).rejects.toBeInstanceOf(ConfigurationError);
		await expect(readEvents(from as never).next()).rejects.toThrow(/path, a file: URL or .*bytes/);
	});

	it("freezes what it reads, however deep", async () => {
		const deep = `${"[".repeat(50_000)}{}${"]".repeat(50_000)}`;
		const text = line(1).replace('"scope"', `"deep":${deep},"scope"`);
		const { events } = await read(text);
		let node: unknown = dataOf(events[0]).deep;
		expect(Object.isFrozen(events[0])).toBe(true);
		for (; Array.isArray(node); [node] = node) if (!Object.isFrozen(node)) expect.fail("not frozen");
		expect(Object.isFrozen(node)).toBe(true);
	});

	it("skips blank lines, reads both kinds of end, and names it does not know", async () => {
		const { events, error } = await read(`\n${line(1)}\r\n\r\n  \t\n${line(2, { event: "some.other", more: 1 })}`);
		expect(error).toBeUndefined();
		expect(events).toEqual([envelope(1), envelope(2, { event: "some.other", more: 1 })]);
	});

	it("does no harm by a key that would change a prototype", async () => {
		const { events } = await read(line(1).replace('"scope"', '"__proto__":{"polluted":true},"scope"'));
		const data = dataOf(events[0]);
		expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
		expect(Object.keys(data)).toContain("__proto__");
		expect({ ...data }.polluted).toBeUndefined();
	});

	const damage: [string, string | Buffer, RegExp][] = [
		["no JSON", "{", /it is no JSON/],
		["a list", "[]", /it is no object/],
		["null", "null", /it is no object/],
		["without a name", line(2, { event: undefined }), /its event is no name/],
		["with an empty name", line(2, { event: "" }), /its event is no name/],
		["without an id", line(2, { id: 7 }), /its id is no text/],
		["without a timestamp", line(2, { timestamp: "now" }), /its timestamp is no number/],
		["with a timestamp beyond numbers", line(2).replace('"timestamp":1', '"timestamp":1e999'), /its timestamp is no number/],
		["with the number 0", line(0), /its sequenceNumber is no whole number from 1/],
		["with half a number", line(1.5), /its sequenceNumber is no whole number from 1/],
		["with a range that ends before it begins", line(2, { firstSequenceNumber: 3 }), /its firstSequenceNumber/],
		["with a range from nothing", line(2, { firstSequenceNumber: null }), /its firstSequenceNumber/],
		["without data", line(2, { data: [] }), /its data is no object/],
		["without a run", line(2, { data: { messageId: "m", scope: "s" } }), /its data.runId is no text/],
		["without a message", line(2, { data: { runId: "r", scope: "s" } }), /its data.messageId is no text/],
		["without a scope", line(2, { data: { runId: "r", messageId: "m", scope: 1 } }), /its data.scope is no text/],
		["no UTF-8", Buffer.concat([Buffer.from(line(2).slice(0, 20)), Buffer.from([0xff]), Buffer.from(line(2).slice(20))]), /it is no UTF-8/],
		["too long", line(2, { more: "x".repeat(400) }), /it has \d+ bytes, of which maxLineBytes allows 300/],
	];

	it.each(damage)("ends at a line that is %s, having given all before it", async (_, damaged, problem) => {
		const text = Buffer.concat([Buffer.from(`${line(1)}\n\n`), Buffer.from(damaged as string), Buffer.from(`\n${line(3)}\n`)]);
		const { events, error } = await read(text, { maxLineBytes: 300 });
		expect(numbersOf(events)).toEqual([1]);
		expect(StreamError.isInstance(error) && error.code).toBe("stream_unreadable");
		expect((error as Error).message).toMatch(problem);
		expect((error as Error).message).toContain("line 3 of the bytes");
		const told: StreamError[] = [];
		const skipped = await read(text, { maxLineBytes: 300, onUnreadable: (unreadable) => told.push(unreadable) });
		expect(numbersOf(skipped.events)).toEqual([1, 3]);
		expect(skipped.error).toBeUndefined();
		expect(told.map(({ message }) => message)).toEqual([(error as Error).message]);
	});

	it("gives every whole line of a file whose writer was ended at any byte, and says that the last is cut", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		for (const delta of ["é🦊", "\u2028", "x"]) run.text("p", delta);
		run.end();
		const path = directory.file("run.jsonl");
		await writeEvents(run.log, path);
		const whole = await readFile(path);
		for (let length = whole.length; length >= 0; length -= 1) {
			await truncate(path, length);
			const events: StreamEvent[] = [];
			const told: string[] = [];
			for await (const event of readEvents(path, { onUnreadable: ({ message }) => told.push(message) })) events.push(event);
			const kept = whole.subarray(0, length).toString("utf8");
			const lines = kept.split("\n");
			const isWhole = kept === "" || kept.endsWith("\n") || whole[length] === 10;
			expect(numbersOf(events)).toEqual(lines.slice(0, isWhole && lines.at(-1) !== "" ? undefined : -1).map((_, index) => index + 1));
			expect(told).toEqual(isWhole ? [] : [expect.stringMatching(/has no end: whoever wrote it/)]);
			if (!isWhole) expect(told[0]).toContain(`line ${lines.length} of ${JSON.stringify(path)}`);
		}
	});

	it("says of a file that cannot be read which, and what to do", async () => {
		await using directory = await temporaryDirectory();
		await mkdir(directory.file("directory"));
		for (const [name, advice] of [
			["missing.jsonl", /no such file/],
			["directory", /is a directory/],
		] as const) {
			const error: unknown = await readEvents(directory.file(name))
				.next()
				.catch((reason: unknown) => reason);
			expect(StreamError.isInstance(error) && error.code).toBe("stream_unreadable");
			expect((error as Error).message).toMatch(advice);
			expect((error as Error).message).toContain(directory.file(name));
			expect((error as Error).cause).toHaveProperty("code");
		}
		await expect(readEvents(new URL("http://x/y")).next()).rejects.toThrow(/no file: URL/);
	});

	it.skipIf(process.platform !== "linux")("lets a file go where it is left early", async () => {
		await using directory = await temporaryDirectory();
		const path = directory.file("run.jsonl");
		await writeFile(path, `${line(1)}\n`.repeat(100_000));
		for await (const event of readEvents(path)) {
			expect(event.sequenceNumber).toBe(1);
			break;
		}
		expect(await openFiles()).not.toContain(path);
	});
});
