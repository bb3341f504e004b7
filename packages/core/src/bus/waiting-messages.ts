import { Fifo } from "../stream/fifo.js";
import type { ChannelCounters } from "./bus-statistics.js";
import type { DeadLetterReason, DeliveryFailure, TransportDelivery } from "./bus-transport.js";

/** What is to be tried again. */
interface Retry {
	readonly transport: TransportDelivery;
	readonly failure: DeliveryFailure;
}

/** What waits for one handler: what is to be tried again, then the rest in order. */
export class WaitingMessages {
	readonly #counters: ChannelCounters;
	readonly #queue: Fifo<TransportDelivery> = new Fifo();
	#retry: Retry | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** How often what was taken last had been tried before. */
	tried = 0;

	constructor(counters: ChannelCounters) {
		this.#counters = counters;
	}

	add(delivery: TransportDelivery): void {
		this.#queue.push(delivery);
		this.#counters.waiting += 1;
	}

	/** Takes the next. `undefined`: there is none. */
	take(): TransportDelivery | undefined {
		const retry = this.#retry;
		const next = retry === undefined ? this.#queue.shift() : retry.transport;
		if (next === undefined) return undefined;
		this.#counters.waiting -= 1;
		if (retry === undefined) this.tried = 0;
		else {
			this.tried = retry.failure.attempts;
			this.#retry = undefined;
		}
		return next;
	}

	/** To be tried again before all others: at once, or so many milliseconds later. Keeps the process alive as long: the message is still to be handled. */
	tryAgain(transport: TransportDelivery, failure: DeliveryFailure, delayMs: number, onDue: () => void): void {
		this.#counters.waiting += 1;
		this.#retry = { transport, failure };
		if (delayMs === 0) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			onDue();
		}, delayMs);
	}

	/** All of it is dead. Whether something had to wait to be tried again, which nobody will be told of now. */
	bury(reason: DeadLetterReason): boolean {
		const wasDelayed = this.#timer !== undefined;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const failure = this.#retry?.failure;
		for (let delivery = this.take(); delivery !== undefined; delivery = this.take())
			delivery.nack(this.tried === 0 ? { reason, attempts: 0 } : { ...failure, reason, attempts: this.tried });
		return wasDelayed;
	}
}
