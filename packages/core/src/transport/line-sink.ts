import type { Writable } from "node:stream";

/**
 * Writes to a stream no faster than it takes, and notices its end also while nothing is written. After a failure it goes on listening for
 * errors: a stream tells of the same one more than once, and nobody else may be there to hear it.
 */
export class LineSink {
	/** Rejects when the stream fails or is closed. Never resolves. */
	readonly failed: Promise<never>;
	readonly #to: Writable;
	readonly #fail: (error: Error) => void;
	#failure: Error | undefined;
	#unwritten = 0;
	#goOn: (() => void) | undefined;

	constructor(to: Writable) {
		let fail: (error: Error) => void = () => {};
		this.failed = new Promise((_, reject) => {
			fail = reject;
		});
		this.failed.catch(() => {});
		this.#fail = fail;
		this.#to = to;
		to.on("error", this.#onError).on("close", this.#onClose).on("drain", this.#onDrain);
		if (!to.writable) this.#onError(to.errored ?? closedEarly());
	}

	/** Resolves when the next line may come; `undefined`: at once. */
	write(line: string): Promise<void> | undefined {
		if (this.#failure !== undefined) return this.failed;
		this.#unwritten += 1;
		try {
			return this.#to.write(line, this.#onWritten) ? undefined : this.#drained();
		} catch (error) {
			// a stream that is not Node's own may throw instead of telling
			this.#unwritten -= 1;
			this.#onError(error instanceof Error ? error : new Error(String(error)));
			return this.failed;
		}
	}

	/** Resolves when everything is written, and leaves the stream open. */
	async flush(): Promise<void> {
		if (this.#failure !== undefined) return this.failed;
		while (this.#unwritten > 0) await this.#drained();
		this.#to.off("error", this.#onError).off("close", this.#onClose).off("drain", this.#onDrain);
	}

	/** Resolves when everything is written and the stream is closed. */
	async close(): Promise<void> {
		if (this.#failure !== undefined) return this.failed;
		const closed = new Promise<void>((resolve) => this.#to.once("close", resolve));
		this.#to.off("close", this.#onClose).end();
		return Promise.race([closed, this.failed]);
	}

	/** Resolves at the next sign that something was written. */
	#drained(): Promise<void> {
		if (this.#failure !== undefined) return this.failed;
		return new Promise((resolve, reject) => {
			this.#goOn = () => (this.#failure === undefined ? resolve() : reject(this.#failure));
		});
	}

	readonly #onDrain = (): void => {
		const goOn = this.#goOn;
		this.#goOn = undefined;
		goOn?.();
	};

	readonly #onWritten = (error?: Error | null): void => {
		this.#unwritten -= 1;
		if (error) this.#onError(error);
		else if (this.#unwritten === 0) this.#onDrain();
	};

	readonly #onError = (error: Error): void => {
		if (this.#failure !== undefined) return;
		this.#failure = error;
		this.#fail(error);
		this.#onDrain();
	};

	readonly #onClose = (): void => this.#onError(closedEarly());
}

const closedEarly = (): Error => new Error("it was closed before everything was written. Keep it open until then");
