import type { Readable } from "node:stream";
import { onAbort } from "../process/on-abort.js";

/** What is kept of one line; the rest of it is dropped. */
const MAX_BYTES = 64 * 1024;

/**
 * One line of a stream, without its end; `undefined` when the stream ends before there is any, or the signal is aborted first. What comes
 * behind the line, and what was read of one that an abort left unfinished, is put back, and the stream is left as it was found, so that
 * others can go on reading and nothing keeps the process alive. Rejects with the stream's error.
 */
export function readLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
	if (input.errored) return Promise.reject(input.errored);
	if (signal.aborted || input.readableEnded || input.destroyed) return Promise.resolve(undefined);
	// somebody else has everything that comes: nothing is to be put back, or stopped
	const isShared = input.readableFlowing === true;
	return new Promise((resolve, reject) => {
		const taken: Uint8Array[] = [];
		let size = 0;
		const keep = (bytes: Uint8Array): void => {
			if (size < MAX_BYTES) taken.push(bytes);
			size += bytes.length;
		};
		const line = (): string => Buffer.concat(taken).subarray(0, MAX_BYTES).toString("utf8").replace(/\r$/, "");
		const leave = (settle: () => void, rest?: string | Uint8Array): void => {
			stopHeeding();
			input.off("readable", read).off("end", end).off("close", end).off("error", fail);
			if (!isShared && rest !== undefined && rest.length > 0) input.unshift(rest);
			// a stream notes only at the next tick that a listener has gone, and cannot be paused before
			process.nextTick(() => {
				if (!isShared && input.listenerCount("readable") === 0) input.pause();
				settle();
			});
		};
		const read = (): void => {
			for (let chunk: unknown = input.read(); chunk !== null; chunk = input.read()) {
				const text = chunk instanceof Uint8Array ? chunk : String(chunk);
				const at = typeof text === "string" ? text.indexOf("\n") : text.indexOf(LINE_FEED);
				if (at === -1) {
					keep(bytesOf(text));
					continue;
				}
				keep(bytesOf(text).subarray(0, typeof text === "string" ? Buffer.byteLength(text.slice(0, at)) : at));
				leave(() => resolve(line()), typeof text === "string" ? text.slice(at + 1) : text.subarray(at + 1));
				return;
			}
		};
		const end = (): void => leave(() => resolve(size > 0 ? line() : undefined));
		const fail = (error: Error): void => leave(() => reject(error));
		const stopHeeding = onAbort(signal, () => leave(() => resolve(undefined), Buffer.concat(taken)));
		input.on("readable", read).on("end", end).on("close", end).on("error", fail);
		read();
	});
}

const LINE_FEED = 10;

const bytesOf = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === "string" ? Buffer.from(chunk) : chunk);
