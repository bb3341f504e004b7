import type { ChannelQueue, DeliveryOutcome } from "../bus/bus-transport.js";
import type { MessageRecord } from "../bus/robot-message.js";
import { ThreadDelivery } from "./thread-delivery.js";

/** A delivery as the other side tells of it. */
export interface ArrivedDelivery {
	readonly subscription: number;
	readonly delivery: number;
	readonly message: MessageRecord;
}

/** What one connection has subscribed to, and what came by that and is to be settled. */
export class ThreadSubscriptions {
	readonly #queues: Map<number, ChannelQueue> = new Map();
	/** The numbers of deliveries. */
	readonly #unsettled: Set<number> = new Set();
	readonly #settle: (delivery: number, outcome: DeliveryOutcome) => void;

	/** @param settle Called once for each delivery, unless all is forgotten before. */
	constructor(settle: (delivery: number, outcome: DeliveryOutcome) => void) {
		this.#settle = settle;
	}

	get size(): number {
		return this.#queues.size;
	}

	/** How many deliveries are to be settled. */
	get unsettled(): number {
		return this.#unsettled.size;
	}

	add(subscription: number, queue: ChannelQueue): void {
		this.#queues.set(subscription, queue);
	}

	/** Whether it was there. What it was delivered is still to be settled. */
	remove(subscription: number): boolean {
		return this.#queues.delete(subscription);
	}

	receive({ subscription, delivery, message }: ArrivedDelivery): void {
		this.#unsettled.add(delivery);
		const arrived = new ThreadDelivery(message, (outcome) => {
			if (this.#unsettled.delete(delivery)) this.#settle(delivery, outcome);
		});
		// it was on its way when the subscription ended, or the connection was closed
		const queue = this.#queues.get(subscription);
		if (queue === undefined) arrived.nack({ reason: "left", attempts: 0 });
		else queue.receive(arrived);
	}

	forgetAll(): void {
		this.#queues.clear();
		this.#unsettled.clear();
	}
}
