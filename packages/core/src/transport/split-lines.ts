import { constants, isUtf8 } from "node:buffer";
import { isUint8Array } from "node:util/types";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { PendingLine } from "./pending-line.js";

/** How many bytes of a line are kept where nobody says otherwise: 256 MiB, since an event holds all that a tool gave. */
export const DEFAULT_MAX_LINE_BYTES: number = 256 * 1024 * 1024;

export interface SplitLinesOptions {
	/** The bytes of a line that are kept, at most; what follows them is counted and dropped. Default 256 MiB. */
	readonly maxLineBytes?: number;
}

export interface Line {
	/** From 1. Blank lines count. */
	readonly number: number;
	/** Without its end, which is 0x0A alone or behind one 0x0D. Where its bytes are no UTF-8, U+FFFD stands for them. */
	readonly text: string;
	readonly isUtf8: boolean;
	/** Whether its end was there. The last line may have none: whoever wrote it may have been ended. */
	readonly isTerminated: boolean;
	/** Bytes that were too many, and are not in `text`. 0 on a line that is whole. */
	readonly droppedBytes: number;
}

/**
 * The lines of what a program or a file says, the same however its bytes are cut into chunks. Only 0x0A ends a line: U+2028 and a lone
 * 0x0D are text. Each line is decoded as a whole. Reads no faster than it is read, and ends its source where it is left early; what the
 * source throws comes through. Throws ConfigurationError for a chunk that is no bytes.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, options: SplitLinesOptions = {}): AsyncGenerator<Line, void, void> {
	const { maxLineBytes = DEFAULT_MAX_LINE_BYTES } = options;
	checkMaxLineBytes(maxLineBytes);
	const pending = new PendingLine(maxLineBytes);
	let number = 0;
	const lineOf = (isTerminated: boolean): Line => {
		number += 1;
		const { bytes, droppedBytes } = pending.take();
		return { number, ...textOf(bytes), isTerminated, droppedBytes };
	};
	for await (const chunk of chunks) {
		checkChunk(chunk);
		let start = 0;
		for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
			pending.add(chunk.subarray(start, end));
			start = end + 1;
			yield lineOf(true);
		}
		pending.add(chunk.subarray(start));
	}
	if (!pending.isEmpty) yield lineOf(false);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function textOf(bytes: Buffer): { readonly text: string; readonly isUtf8: boolean } {
	const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
	return { text: line.toString("utf8"), isUtf8: isUtf8(line) };
}

function checkMaxLineBytes(maxLineBytes: number): void {
	if (Number.isSafeInteger(maxLineBytes) && maxLineBytes >= 1 && maxLineBytes <= constants.MAX_STRING_LENGTH) return;
	throw new ConfigurationError(
		`maxLineBytes must be a whole number from 1 to ${constants.MAX_STRING_LENGTH}, got ${describeValue(maxLineBytes)}.`,
	);
}

function checkChunk(chunk: unknown): void {
	if (isUint8Array(chunk)) return;
	throw new ConfigurationError(`Lines are read from bytes, got ${describeValue(chunk)}. A stream must have no encoding set.`);
}
