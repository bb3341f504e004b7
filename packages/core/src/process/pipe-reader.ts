import { readSync } from "node:fs";
import { Socket } from "node:net";

const CHUNK_BYTES = 64 * 1024;
// One for all readers: each callback has used up the bytes before the next read can happen on this thread.
const shared = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** Reads one pipe to its end, through the event loop and, where asked, at once. */
export class PipeReader {
	readonly #fd: number;
	readonly #socket: Socket;
	#tellEnd: () => void = () => {};
	#sink: (bytes: Uint8Array) => void;
	#ended = false;
	#lastDataAt: number = performance.now();
	/** Settles when no process holds the writing end any more. */
	readonly end: Promise<void> = new Promise((resolve) => {
		this.#tellEnd = resolve;
	});

	/**
	 * @param fd The pipe's reading end, non-blocking. The reader closes it.
	 * @param sink Gets bytes that are valid only during the call.
	 */
	constructor(fd: number, sink: (bytes: Uint8Array) => void) {
		this.#fd = fd;
		this.#sink = sink;
		this.#socket = new Socket({ fd, readable: true, writable: false, onread: { buffer: shared, callback: this.#receive } });
		this.#socket.on("end", () => this.#end());
		this.#socket.on("error", () => this.#end());
		this.#socket.resume();
	}

	/** Whether the end was reached: every process that held the pipe is gone or has closed it. */
	get ended(): boolean {
		return this.#ended;
	}

	/** When bytes came last, on the clock of `performance.now()`. */
	get lastDataAt(): number {
		return this.#lastDataAt;
	}

	/**
	 * Reads what is in the pipe now, without waiting, `limit` bytes at most. The limit is there for a writer that fills the pipe as
	 * fast as it is read.
	 */
	readNow(limit: number): void {
		for (let read = 0; !this.#ended && read < limit; ) {
			const length = this.#readChunk();
			if (length === undefined) return;
			if (length === 0) this.#end();
			else this.#receive(length, shared);
			read += length;
		}
	}

	/** From now on the output goes nowhere, and reading it keeps no process alive. Its writers can go on writing. */
	release(): void {
		this.#sink = () => {};
		this.#socket.unref();
	}

	/** Reading on keeps no process alive. */
	unref(): void {
		this.#socket.unref();
	}

	/** Stops reading. A process that still writes gets a broken pipe. */
	close(): void {
		this.#end();
	}

	readonly #receive = (length: number, buffer: Uint8Array): boolean => {
		this.#lastDataAt = performance.now();
		this.#sink(buffer.subarray(0, length));
		return true;
	};

	#readChunk(): number | undefined {
		try {
			return readSync(this.#fd, shared, 0, CHUNK_BYTES, null);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === "EINTR") return this.#readChunk();
			return code === "EAGAIN" ? undefined : 0;
		}
	}

	#end(): void {
		if (this.#ended) return;
		this.#ended = true;
		this.#socket.destroy();
		this.#tellEnd();
	}
}
