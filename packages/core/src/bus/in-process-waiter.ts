import { deferred } from "../process/deferred.js";
import { onAbort } from "../process/on-abort.js";
import type { InProcessDelivery, RoomWaiter } from "./in-process-delivery.js";

/** A message that has to wait for room. */
export interface WaitingPublish {
	/** With how many subscribers it is to have room in the end. */
	readonly recipients: number;
	/** Where it has none by now. */
	readonly deliveries: readonly InProcessDelivery[];
	/** Gives up, where it has not taken its room everywhere. */
	readonly signal: AbortSignal | undefined;
	/** Called once: it waits no longer. */
	readonly onEnd: (waiter: InProcessWaiter) => void;
}

/** Waits until a message has room with each subscriber, or is given up. */
export class InProcessWaiter implements RoomWaiter {
	readonly #publish: WaitingPublish;
	readonly #answer: ReturnType<typeof deferred<number>> = deferred();
	readonly #stopListening: (() => void) | undefined;
	#missing: number;

	constructor(publish: WaitingPublish) {
		const { deliveries, signal } = publish;
		this.#publish = publish;
		this.#missing = deliveries.length;
		for (const delivery of deliveries) delivery.waitFor(this);
		this.#stopListening = signal && onAbort(signal, () => this.giveUp(signal.reason));
	}

	/** How many have the message. Rejects with the reason for which it is given up. */
	get answer(): Promise<number> {
		return this.#answer.promise;
	}

	took(): void {
		this.#missing -= 1;
		if (this.#missing > 0) return;
		this.#end();
		this.#answer.resolve(this.#publish.recipients);
	}

	giveUp(reason: unknown): void {
		this.#end();
		for (const delivery of this.#publish.deliveries) delivery.withdraw();
		this.#answer.reject(reason);
	}

	#end(): void {
		this.#stopListening?.();
		this.#publish.onEnd(this);
	}
}
