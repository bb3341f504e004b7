import { createWriteStream, statSync } from "node:fs";
import type { Writable } from "node:stream";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { ReaderOptions } from "../stream/event-reader.js";
import type { ReadableLog } from "../stream/readable-log.js";
import type { StreamEvent } from "../stream/stream-event.js";
import { describeValue } from "../text/describe-value.js";
import { isObject } from "../value/frozen-copy.js";
import { fileFailure, pathOf } from "./event-file.js";
import { eventJson } from "./event-json.js";
import { LineSink } from "./line-sink.js";

/** What becomes of a log that is faster than the file: as for every reader of a log. */
export type WriteEventsOptions = ReaderOptions;

/**
 * Writes each event as one line of JSON, from the log's beginning, and resolves when the log has ended and everything is written: await
 * it before the process ends. A slow file holds nothing up: deltas that wait become one, unless `overflow` says otherwise. Where more
 * waits than is held for a reader, writing ends: `overflow: "block"` has the run's model wait for the file instead.
 *
 * Every event is written: what a hand-made one holds that is no JSON becomes what it would have become had a context published it.
 *
 * Rejects with StreamError: `stream_unwritable` for a file or stream that fails or is closed early, also while no event comes;
 * `events_gone` for a log that no longer keeps its beginning (give `log.events()` to begin with what comes next); `stream_overflow` where
 * more waited than may (see ReaderOptions). What was written before stays.
 *
 * @param events A log, or events as an iterable, of which `options` say nothing.
 * @param to A path or `file:` URL of a file that is not there yet: a file holds one run, and none is overwritten. Its owner alone may read
 * it (mode 0600). Or a stream, which is left open, e.g. `process.stdout`.
 */
export async function writeEvents(
	events: ReadableLog | AsyncIterable<StreamEvent>,
	to: string | URL | Writable,
	options: WriteEventsOptions = {},
): Promise<void> {
	const target = targetOf(to);
	checkSource(events);
	// before anything is awaited: what is published from now on must not be missed
	const source = (Symbol.asyncIterator in events ? events : events.events({ ...options, after: 0 }))[Symbol.asyncIterator]();
	const unwritable = (error: unknown): never => {
		leave(source);
		throw fileFailure("stream_unwritable", `Cannot write events to ${target.name}`, target.isDirectory() ? IS_DIRECTORY : error);
	};
	const sink = opened(target, unwritable);
	try {
		await Promise.race([pump(source, sink), sink.failed.catch(unwritable)]);
	} finally {
		leave(source);
		await (target.isOurs ? sink.close() : sink.flush()).catch(unwritable);
	}
}

function checkSource(events: unknown): void {
	const isSource = isObject(events) && (Symbol.asyncIterator in events || ("events" in events && typeof events.events === "function"));
	if (isSource) return;
	throw new ConfigurationError(
		`What is written is a log, e.g. stream.log of robot.stream(), or an async iterable of events, got ${describeValue(events)}.`,
	);
}

function opened(target: Target, unwritable: (error: unknown) => never): LineSink {
	try {
		return new LineSink(target.open());
	} catch (error) {
		return unwritable(error);
	}
}

/** A new file in the place of a directory fails as one in the place of a file does. */
const IS_DIRECTORY = { code: "EISDIR" };

interface Target {
	readonly name: string;
	isDirectory(): boolean;
	/** Whether it is closed at the end. */
	readonly isOurs: boolean;
	open(): Writable;
}

function targetOf(to: string | URL | Writable): Target {
	const path = pathOf(to);
	if (path !== undefined) {
		const isDirectory = (): boolean => !path.includes("\0") && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
		return { name: JSON.stringify(path), isOurs: true, isDirectory, open: () => createWriteStream(path, NEW_FILE) };
	}
	const stream = to as Writable;
	if (typeof stream?.write === "function" && typeof stream.on === "function")
		return { name: "the stream", isOurs: false, isDirectory: () => false, open: () => stream };
	throw new ConfigurationError(`Events are written to a path, a file: URL or a node:stream Writable, got ${describeValue(to)}.`);
}

/**
 * For its owner alone: a log holds prompts, and what tools were given and gave. On the disk when it is closed: an account of what was done
 * must outlive the computer's crash.
 */
const NEW_FILE = { flags: "wx", mode: 0o600, flush: true } as const;

async function pump(source: AsyncIterator<StreamEvent>, sink: LineSink): Promise<void> {
	for (let next = await source.next(); !next.done; next = await source.next()) {
		const room = sink.write(`${eventJson(next.value)}\n`);
		if (room !== undefined) await room;
	}
}

/** Not awaited: a source that waits for its next event would hold a failure back. */
function leave(source: AsyncIterator<StreamEvent>): void {
	Promise.resolve(source.return?.()).catch(() => {});
}
