import { BusError } from "../errors/bus-error.js";
import { type Deferred, deferred } from "../process/deferred.js";
import { messageOf } from "../text/message-of.js";

interface ThreadRequest {
	readonly answer: (value: unknown) => void;
	readonly refuse: (error: unknown) => void;
}

/** What one connection has asked the other side, and is not answered. */
export class ThreadRequests {
	readonly #requests: Map<number, ThreadRequest> = new Map();
	#last = 0;

	get size(): number {
		return this.#requests.size;
	}

	/** That no other request of the connection has. */
	nextNumber(): number {
		this.#last += 1;
		return this.#last;
	}

	/**
	 * @param read What an answer to this is. Throws for another, which refuses the request.
	 * @param onEnd Called with the answer, or `undefined` where there is none, before anything else is heard.
	 */
	ask<T>(number: number, read: (value: unknown) => T, onEnd: (answer: T | undefined) => void = () => {}): Promise<T> {
		const { promise, resolve, reject }: Deferred<T> = deferred();
		const refuse = (error: unknown): void => {
			onEnd(undefined);
			reject(error);
		};
		const answer = (value: unknown): void => {
			try {
				const answered = read(value);
				onEnd(answered);
				resolve(answered);
			} catch (cause) {
				refuse(
					new BusError("connection_lost", `The bus of another thread answers with what is no answer: ${messageOf(cause)}.`, { cause }),
				);
			}
		};
		this.#requests.set(number, { answer, refuse });
		return promise;
	}

	answer(number: number, value: unknown): void {
		this.#take(number)?.answer(value);
	}

	refuse(number: number, error: unknown): void {
		this.#take(number)?.refuse(error);
	}

	refuseAll(error: unknown): void {
		for (const number of [...this.#requests.keys()]) this.refuse(number, error);
	}

	#take(number: number): ThreadRequest | undefined {
		const request = this.#requests.get(number);
		this.#requests.delete(number);
		return request;
	}
}
