import type { Channels } from "./channels.js";
import { PipeReader } from "./pipe-reader.js";

// The most a process without privileges can make a pipe hold.
const LARGEST_PIPE_BYTES = 1024 * 1024;

/** The one or two output streams of a command, read to their ends. */
export class PipeReaders {
	protected readonly readers: readonly PipeReader[];
	/** Settles when nobody holds a pipe any more. */
	readonly ended: Promise<void>;

	/** @param onBytes Gets what comes, in bytes that are valid only during the call, and which of the streams it is of. Must not throw. */
	constructor({ outputs }: Pick<Channels, "outputs">, onBytes: (bytes: Uint8Array, index: number) => void) {
		this.readers = outputs.map(({ readFd }, index) => new PipeReader(readFd, (bytes) => onBytes(bytes, index)));
		this.ended = Promise.all(this.readers.map((reader) => reader.end)).then(() => {});
	}

	get hasEnded(): boolean {
		return this.readers.every((reader) => reader.ended);
	}

	/** How long no process has written anything, counted from `since` at the earliest. */
	silenceMs(since: number): number {
		return performance.now() - Math.max(since, ...this.readers.map((reader) => reader.lastDataAt));
	}

	/**
	 * Takes in all that a process that has just ended had written: it is in the pipe already, so neither a clock nor a busy host comes
	 * into it. Answers whether nobody else holds the pipe.
	 */
	readNow(): boolean {
		for (const reader of this.readers) reader.readNow(LARGEST_PIPE_BYTES);
		return this.hasEnded;
	}
}
