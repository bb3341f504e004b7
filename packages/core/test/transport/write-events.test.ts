import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { PassThrough, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { createGunzip, createGzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { StreamError } from "../../src/errors/stream-error.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { readEvents } from "../../src/transport/read-events.js";
import { writeEvents } from "../../src/transport/write-events.js";
import { addText, publishedRun, turns, until } from "./published-run.js";
import { openFiles, temporaryDirectory } from "./temporary-directory.js";

async function all(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
	const list: StreamEvent[] = [];
	for await (const event of events) list.push(event);
	return list;
}

/** A stream that takes each piece when it is told to, and what it took. */
function manualWritable(options: { readonly highWaterMark?: number; readonly emitClose?: boolean } = {}) {
	const taken: string[] = [];
	const waiting: ((error?: Error) => void)[] = [];
	const stream = new Writable({
		...options,
		write(chunk, _encoding, done) {
			taken.push(String(chunk));
			waiting.push(done);
		},
	});
	return { stream, taken, waiting };
}

const rejectionOf = (promise: Promise<unknown>): Promise<StreamError> =>
	promise.then(
		() => expect.fail("it did not reject"),
		(error: unknown) => (StreamError.isInstance(error) ? error : expect.fail(String(error))),
	);

describe("writeEvents to a file", () => {
	it("has every event when it resolves, one a line: what was before, what comes at once and what comes later", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		run.event("run.started", { name: "bob" });
		const written = writeEvents(run.log, directory.file("run.jsonl"));
		run.text("p", "at once\n\u2028");
		await turns(5);
		run.text("p", "later");
		run.end();
		await written;
		const text = await readFile(directory.file("run.jsonl"), "utf8");
		expect(text.endsWith("\n")).toBe(true);
		expect(
			text
				.slice(0, -1)
				.split("\n")
				.map((line) => JSON.parse(line)),
		).toEqual(run.log.after(0));
	});

	it("takes a file: URL, and events that are no log", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		run.text("p", "x");
		run.end();
		await writeEvents(run.log.events({ after: 1 }), pathToFileURL(directory.file("a b.jsonl")));
		expect(await all(readEvents(directory.file("a b.jsonl")))).toEqual(run.log.after(1));
	});

	it("writes what waits for it as one, and holds nothing up", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		const written = writeEvents(run.log, directory.file("run.jsonl"), { capacity: 8 });
		for (let count = 0; count < 50_000; count += 1) run.text(count % 2 === 0 ? "a" : "b", `${count} `);
		run.end();
		await written;
		const texts: Record<string, string> = {};
		const events = await all(readEvents(directory.file("run.jsonl")));
		for (const event of events) addText(texts, event);
		expect(texts).toEqual(run.texts);
		expect(events.length).toBeLessThan(100);
	});

	it.skipIf(process.platform !== "linux")("closes its file", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		const written = writeEvents(run.log, directory.file("run.jsonl"));
		await until(() => existsSync(directory.file("run.jsonl")));
		expect(await openFiles()).toContain(directory.file("run.jsonl"));
		run.end();
		await written;
		expect(await openFiles()).not.toContain(directory.file("run.jsonl"));
	});

	it("never writes over a file, and says what to do", async () => {
		await using directory = await temporaryDirectory();
		await writeFile(directory.file("run.jsonl"), "precious");
		const error = await rejectionOf(writeEvents(publishedRun().log, directory.file("run.jsonl")));
		expect(error.code).toBe("stream_unwritable");
		expect(error.message).toContain(directory.file("run.jsonl"));
		expect(error.message).toContain('createWriteStream(path, { flags: "a" })');
		expect(await readFile(directory.file("run.jsonl"), "utf8")).toBe("precious");
	});

	it("rejects while the log still runs where the file cannot be, and leaves the log", async () => {
		await using directory = await temporaryDirectory();
		await mkdir(directory.file("directory"));
		await writeFile(directory.file("file"), "");
		const { log } = publishedRun({ history: 0 });
		log.subscribe(() => {}, { wantsDeltas: () => false });
		for (const [name, advice] of [
			["missing/run.jsonl", /create the directory/],
			["file/run.jsonl", /is a file/],
			["directory", /it is a directory\. Give the path of a file in it/],
		] as const) {
			const error = await rejectionOf(writeEvents(log, directory.file(name)));
			expect(error.message).toContain(directory.file(name));
			expect(error.message).toMatch(advice);
			expect(error.cause).toHaveProperty("code");
			expect(log.isHeard).toBe(false);
		}
	});

	it.skipIf(process.platform !== "linux")("says that the disk is full", async () => {
		const run = publishedRun();
		const full = createWriteStream("/dev/full");
		const written = rejectionOf(writeEvents(run.log, full));
		run.text("p", "x");
		expect((await written).message).toMatch(/disk is full/);
	});

	it("rejects for a stream that throws as it is written to", async () => {
		const run = publishedRun();
		run.text("p", "x");
		const throwing = Object.assign(new Writable(), { write: () => { throw new Error("it is glued shut"); } }); // biome-ignore format: one line
		const error = await rejectionOf(writeEvents(run.log, throwing));
		expect([error.code, error.message]).toEqual(["stream_unwritable", "Cannot write events to the stream: it is glued shut."]);
	});

	it("rejects for a path that no file can have", async () => {
		const error = await rejectionOf(writeEvents(publishedRun().log, "a\0b"));
		expect([error.code, error.message]).toEqual(["stream_unwritable", expect.stringContaining("null bytes")]);
	});

	it("refuses what is neither a file nor a stream", async () => {
		const { log } = publishedRun();
		await expect(writeEvents(log, new URL("http://x/y"))).rejects.toThrow(/no file: URL/);
		await expect(writeEvents(log, 1 as unknown as string)).rejects.toThrow(ConfigurationError);
	});

	it.each([undefined, null, 7, {}, { events: 1 }])("refuses what is neither a log nor events (%j), and makes no file", async (events) => {
		await using directory = await temporaryDirectory();
		const written = writeEvents(events as never, directory.file("run.jsonl"));
		await expect(written).rejects.toBeInstanceOf(ConfigurationError);
		await expect(written).rejects.toThrow(/a log, .*stream\.log/);
		expect(existsSync(directory.file("run.jsonl"))).toBe(false);
	});

	it.skipIf(process.platform === "win32")("makes a file that its owner alone can read: it holds prompts", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		run.end();
		const before = process.umask(0);
		try {
			await writeEvents(run.log, directory.file("run.jsonl"));
		} finally {
			process.umask(before);
		}
		expect(statSync(directory.file("run.jsonl")).mode & 0o777).toBe(0o600);
	});

	it("rejects for a log that no longer has its beginning, and makes no file", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun({ history: 2 });
		for (const delta of "abc") run.text(delta, delta);
		expect(await rejectionOf(writeEvents(run.log, directory.file("run.jsonl")))).toMatchObject({ code: "events_gone" });
		await expect(readFile(directory.file("run.jsonl"))).rejects.toMatchObject({ code: "ENOENT" });
	});

	it("keeps what came before a source failed, and rejects with what that said", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		for (const delta of "abc") run.text(delta, delta);
		async function* failing(): AsyncGenerator<StreamEvent> {
			yield* run.log.after(0);
			throw new RangeError("mine");
		}
		await expect(writeEvents(failing(), directory.file("run.jsonl"))).rejects.toThrow(RangeError);
		expect(await all(readEvents(directory.file("run.jsonl")))).toEqual(run.log.after(0));
	});
});

describe("writeEvents to a stream", () => {
	it("resolves when everything is through, and leaves it open", async () => {
		const { stream, taken, waiting } = manualWritable();
		const run = publishedRun();
		run.text("p", "x");
		run.end();
		let isWritten = false;
		const written = writeEvents(run.log, stream).then(() => {
			isWritten = true;
		});
		for (let line = 0; line < 2; line += 1) {
			await until(() => waiting.length === 1);
			await turns(3);
			expect(isWritten).toBe(false);
			waiting.pop()?.();
		}
		await written;
		expect(taken.map((line) => JSON.parse(line).sequenceNumber)).toEqual([1, 2]);
		expect(stream.writable).toBe(true);
		for (const event of ["error", "close", "drain"]) expect(stream.listenerCount(event)).toBe(0);
	});

	it("hands over no more than it takes, and holds the run up only when asked", async () => {
		const { stream, taken, waiting } = manualWritable({ highWaterMark: 1 });
		const run = publishedRun();
		const written = writeEvents(run.log, stream, { overflow: "block", capacity: 2 });
		for (const delta of "abcdef") run.text(delta, delta);
		await until(() => waiting.length === 1);
		await turns(3);
		expect(stream.writableLength).toBeLessThan(300);
		expect(run.log.room).toBeInstanceOf(Promise);
		run.end();
		while (taken.length < 7) {
			waiting.pop()?.();
			await turns(1);
		}
		waiting.pop()?.();
		await written;
		const easy = publishedRun();
		void writeEvents(easy.log, manualWritable({ highWaterMark: 1 }).stream);
		for (let count = 0; count < 2_000; count += 1) easy.event("usage.updated");
		expect(easy.log.room).toBeUndefined();
	});

	it("rejects with the overflow that was asked for, and has written what waited", async () => {
		const { stream, taken, waiting } = manualWritable({ highWaterMark: 1 });
		const run = publishedRun();
		const written = rejectionOf(writeEvents(run.log, stream, { overflow: "error", capacity: 2 }));
		await turns(1);
		for (let count = 0; count < 6; count += 1) run.event("usage.updated");
		for (let line = 0; line < 3; line += 1) {
			await until(() => waiting.length === 1);
			waiting.pop()?.();
		}
		expect((await written).code).toBe("stream_overflow");
		expect(taken.map((line) => JSON.parse(line).sequenceNumber)).toEqual([1, 2, 3]);
	});

	it.each([
		["destroyed before", (stream: Writable) => stream.destroy(), false],
		["ended before", (stream: Writable) => stream.end(), false],
		["destroyed while nothing is written", (stream: Writable) => stream.destroy(), true],
		["destroyed with an error", (stream: Writable) => stream.destroy(new Error("mine")), true],
	])("rejects for a stream that is %s", async (_, end, isLater) => {
		const run = publishedRun({ history: 0 });
		run.log.subscribe(() => {}, { wantsDeltas: () => false });
		const { stream } = manualWritable();
		stream.on("error", () => {});
		if (!isLater) end(stream);
		await turns(3);
		const written = rejectionOf(writeEvents(run.log, stream));
		await turns(2);
		if (isLater) end(stream);
		const error = await written;
		expect(error.code).toBe("stream_unwritable");
		expect(error.message).toMatch(/Cannot write events to the stream: (mine|it was closed before)/);
		expect(run.log.isHeard).toBe(false);
	});

	it("rejects for a stream that is destroyed while it is full, and tells of no end", async () => {
		const { stream, waiting } = manualWritable({ highWaterMark: 1, emitClose: false });
		const run = publishedRun();
		for (const delta of "abc") run.text(delta, delta);
		const written = rejectionOf(writeEvents(run.log, stream));
		await until(() => waiting.length === 1);
		stream.destroy();
		waiting.pop()?.();
		expect((await written).code).toBe("stream_unwritable");
	});

	it("rejects for a stream that is closed behind the last event and before it is through", async () => {
		const { stream, waiting } = manualWritable();
		const run = publishedRun();
		run.text("p", "x");
		run.end();
		const written = rejectionOf(writeEvents(run.log, stream));
		await until(() => waiting.length === 1);
		await turns(3);
		stream.destroy();
		expect((await written).code).toBe("stream_unwritable");
	});

	it("rejects at once where the source has nothing more to say for ever", async () => {
		let isLeft = false;
		const silent: AsyncIterable<StreamEvent> = {
			[Symbol.asyncIterator]: () => ({
				next: () => new Promise(() => {}),
				return: () => {
					isLeft = true;
					return new Promise(() => {});
				},
			}),
		};
		const { stream } = manualWritable();
		const written = rejectionOf(writeEvents(silent, stream));
		stream.destroy();
		expect((await written).code).toBe("stream_unwritable");
		expect(isLeft).toBe(true);
	});

	it("does not end the process where a stream tells of its failure twice", async () => {
		const { stream, waiting } = manualWritable();
		const run = publishedRun();
		const written = rejectionOf(writeEvents(run.log, stream));
		run.text("p", "x");
		await until(() => waiting.length === 1);
		waiting.pop()?.(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
		const { cause, message } = await written;
		expect(cause).toHaveProperty("code", "EPIPE");
		expect(message).toMatch(/nobody reads it any more/);
		stream.emit("error", new Error("again"));
		await turns(3);
	});

	it("lets others write through it, e.g. packed", async () => {
		await using directory = await temporaryDirectory();
		const run = publishedRun();
		const gzip = createGzip();
		const file = gzip.pipe(createWriteStream(directory.file("run.jsonl.gz")));
		const written = writeEvents(run.log, gzip);
		run.text("p", "é🦊");
		run.end();
		await written;
		gzip.end();
		await once(file, "close");
		const unpacked = createReadStream(directory.file("run.jsonl.gz")).pipe(createGunzip());
		expect(await all(readEvents(unpacked))).toEqual(run.log.after(0));
	});
});

describe("an event that is no JSON", () => {
	async function written(events: Iterable<object>): Promise<StreamEvent[]> {
		async function* source(): AsyncGenerator<StreamEvent> {
			yield* events as Iterable<StreamEvent>;
		}
		const stream = new PassThrough();
		const done = writeEvents(source(), stream).then(() => stream.end());
		const read = await all(readEvents(stream));
		await done;
		return read;
	}

	it("is written with what can be said of it, and so are the others", async () => {
		const run = publishedRun();
		run.text("p", "x");
		run.end();
		const [first, last] = run.log.after(0);
		const circle: Record<string, unknown> = { name: "round" };
		circle.self = circle;
		const data = { ...first?.data, partId: "p", count: 1n, circle };
		const [before, odd, after] = await written([{ ...first }, { ...first, event: "my.own", data }, { ...last }]);
		expect([before, after]).toEqual([first, last]);
		expect(odd).toMatchObject({
			event: "my.own",
			sequenceNumber: 1,
			data: { runId: "r1", partId: "p", count: "1", circle: { name: "round", self: "[refers to itself]" } },
		});
	});
});
