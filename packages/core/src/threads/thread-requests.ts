import { onGiveUp } from "../bus/on-give-up.js";
import { BusError } from "../errors/bus-error.js";
import { type Deferred, deferred } from "../process/deferred.js";
import { messageOf } from "../text/message-of.js";
import type { GuestMessage } from "./bus-protocol.js";
import { GIVEN_UP } from "./thread-refusals.js";

interface ThreadRequest {
	readonly answer: (value: unknown) => void;
	readonly refuse: (error: unknown) => void;
}

/** How a request is called: what every message has that is about it. */
export interface RequestId {
	readonly connection: string;
	readonly request: number;
}

/** What is to be asked. */
export interface Question<T> {
	/** Posts it. @param canAbort Whether `withdraw` may come. */
	readonly say: (id: RequestId, canAbort: boolean) => unknown;
	/** What an answer to this is. Throws for another, which refuses the request. */
	readonly read: (value: unknown) => T;
	/** Called with the answer, or `undefined` where there is none, before anything else is heard. */
	readonly onEnd?: (answer: T | undefined) => void;
	/** Gives it up. */
	readonly signal?: AbortSignal | undefined;
}

export interface ThreadRequestsOptions {
	/** The name of the connection that asks. */
	readonly connection: string;
	readonly post: (message: GuestMessage) => boolean;
	/** Takes back what is not on its way. Answers whether there was such a thing. */
	readonly unsay: (id: RequestId) => boolean;
	/** There are more of them, or fewer by what was given up. */
	readonly onChange: () => void;
}

/** What one connection has asked the other side, and is not answered. */
export class ThreadRequests {
	readonly #options: ThreadRequestsOptions;
	readonly #requests: Map<number, ThreadRequest> = new Map();
	#last = 0;

	constructor(options: ThreadRequestsOptions) {
		this.#options = options;
	}

	get size(): number {
		return this.#requests.size;
	}

	/** Rejects with the signal's reason where it was given up, and with what the other side refuses it with. */
	async ask<T>({ signal, ...question }: Question<T>): Promise<T> {
		signal?.throwIfAborted();
		this.#last += 1;
		const id = { connection: this.#options.connection, request: this.#last };
		let given: { readonly reason: unknown } | undefined;
		const giveUp = (reason: unknown): void => {
			given = { reason };
			this.#withdraw(id);
		};
		// first: where that fails nothing was said
		const stopListening = signal && onGiveUp(signal, giveUp);
		try {
			question.say(id, signal !== undefined);
			return await this.#answerTo(id, question);
		} catch (error) {
			throw error === GIVEN_UP && given !== undefined ? given.reason : error;
		} finally {
			stopListening?.();
		}
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

	#withdraw(id: RequestId): void {
		// what was said the other side may have done by now: it knows, and its answer counts
		if (!this.#options.unsay(id)) this.#options.post({ kind: "withdraw", ...id });
		else this.refuse(id.request, GIVEN_UP);
		this.#options.onChange();
	}

	#answerTo<T>({ request }: RequestId, { read, onEnd = () => {} }: Question<T>): Promise<T> {
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
		this.#requests.set(request, { answer, refuse });
		this.#options.onChange();
		return promise;
	}

	#take(number: number): ThreadRequest | undefined {
		const request = this.#requests.get(number);
		this.#requests.delete(number);
		return request;
	}
}
