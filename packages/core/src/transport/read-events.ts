import { createReadStream } from "node:fs";
import { ConfigurationError } from "../errors/configuration-error.js";
import { StreamError } from "../errors/stream-error.js";
import type { StreamEvent } from "../stream/stream-event.js";
import { describeValue } from "../text/describe-value.js";
import { isObject } from "../value/frozen-copy.js";
import { fileFailure, pathOf } from "./event-file.js";
import { parseEvent } from "./parse-event.js";
import { DEFAULT_MAX_LINE_BYTES, type Line, splitLines } from "./split-lines.js";

export interface ReadEventsOptions {
	/** How long a line may be, in bytes. A whole number of 1 or more, default 256 MiB: an event of `writeEvents` holds all that a tool gave. */
	readonly maxLineBytes?: number;
	/**
	 * Told of each line that is no event: damaged, too long, or the last one of a writer that was ended in the middle of it. It is
	 * skipped, and reading goes on. Default: reading ends there with the error.
	 */
	readonly onUnreadable?: (error: StreamError) => void;
}

/**
 * The events of a log that was written one a line, as `writeEvents` does: frozen, in the order of the file, blank lines skipped. Published
 * to a new EventLog they give what the first one gave. A last line without its end counts where it is an event.
 *
 * Throws StreamError `stream_unreadable`, with file and line, for a file that cannot be read and for a line that is no event; every event
 * before it was given out. ConfigurationError for a `from` that is nothing to read. What `from` throws, where it is no path, comes through.
 *
 * @param from A path, a `file:` URL, or bytes, e.g. `process.stdin`.
 */
export async function* readEvents(
	from: string | URL | AsyncIterable<Uint8Array>,
	options: ReadEventsOptions = {},
): AsyncGenerator<StreamEvent, void, void> {
	const { maxLineBytes = DEFAULT_MAX_LINE_BYTES, onUnreadable = throwIt } = options;
	const path = pathOf(from);
	const chunks = path === undefined ? given(from) : bytesOf(path);
	for await (const line of splitLines(chunks, { maxLineBytes })) {
		if (line.text.trim() === "" && line.droppedBytes === 0) continue;
		const read = line.droppedBytes > 0 || !line.isUtf8 ? { problem: damageOf(line, maxLineBytes) } : parseEvent(line.text);
		if ("event" in read) yield read.event;
		else onUnreadable(unreadable(path, line, read.problem));
	}
}

function given(from: unknown): AsyncIterable<Uint8Array> {
	if (isObject(from) && Symbol.asyncIterator in from) return from as AsyncIterable<Uint8Array>;
	throw new ConfigurationError(
		`Events are read from a path, a file: URL or an async iterable of bytes, e.g. process.stdin, got ${describeValue(from)}.`,
	);
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
	try {
		yield* createReadStream(path);
	} catch (error) {
		throw fileFailure("stream_unreadable", `Cannot read events from ${JSON.stringify(path)}`, error);
	}
}

function throwIt(error: StreamError): never {
	throw error;
}

function damageOf({ droppedBytes }: Line, maxLineBytes: number): string {
	if (droppedBytes === 0) return "it is no UTF-8";
	return `it has ${maxLineBytes + droppedBytes} bytes, of which maxLineBytes allows ${maxLineBytes}`;
}

function unreadable(path: string | undefined, { number, isTerminated }: Line, problem: string): StreamError {
	const place = `line ${number} of ${path === undefined ? "the bytes" : JSON.stringify(path)}`;
	const cut = isTerminated ? "" : " The line has no end: whoever wrote it may have been ended.";
	return new StreamError("stream_unreadable", `Cannot read ${place} as an event: ${problem}.${cut} With onUnreadable it is skipped.`);
}
