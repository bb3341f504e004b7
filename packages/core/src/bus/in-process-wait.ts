import { deferred } from "../process/deferred.js";
import { onGiveUp } from "./on-give-up.js";

/** What ends with its connection. */
export interface Waiting {
	giveUp(reason: unknown): void;
}

/** Something that is waited for until it comes, or is given up. */
export class InProcessWait<T> implements Waiting {
	readonly #answer: ReturnType<typeof deferred<T>> = deferred();
	readonly #all: Set<Waiting>;
	readonly #onEnd: () => void;
	#stopListening: (() => void) | undefined;
	#isOver = false;

	/**
	 * @param all Those of one connection. It is one of them until its end.
	 * @param onEnd Called once: it has come, or is given up.
	 */
	constructor(all: Set<Waiting>, onEnd: () => void) {
		this.#all = all;
		this.#onEnd = onEnd;
		all.add(this);
	}

	/** What has come. Rejects with the reason for which it is given up. */
	get answer(): Promise<T> {
		return this.#answer.promise;
	}

	/** Is given up when the signal is aborted. Throws, and is over, where the signal throws that is to be listened to: it may be of anybody's making. */
	heed(signal: AbortSignal): void {
		try {
			this.#stopListening = onGiveUp(signal, (reason) => this.giveUp(reason));
		} catch (error) {
			this.#end();
			throw error;
		}
	}

	come(value: T): void {
		if (this.#end()) this.#answer.resolve(value);
	}

	giveUp(reason: unknown): void {
		if (this.#end()) this.#answer.reject(reason);
	}

	#end(): boolean {
		if (this.#isOver) return false;
		this.#isOver = true;
		this.#all.delete(this);
		this.#stopListening?.();
		this.#onEnd();
		return true;
	}
}
