import type { DeliveryFailure, DeliveryOutcome, TransportDelivery } from "../bus/bus-transport.js";
import type { MessageRecord } from "../bus/robot-message.js";

/** A message from another thread. */
export class ThreadDelivery implements TransportDelivery {
	readonly message: MessageRecord;
	readonly #settle: (outcome: DeliveryOutcome) => void;

	/** @param settle Only the first call counts. */
	constructor(message: MessageRecord, settle: (outcome: DeliveryOutcome) => void) {
		this.message = message;
		this.#settle = settle;
	}

	ack(): void {
		this.#settle({ state: "acked" });
	}

	nack(failure: DeliveryFailure): void {
		this.#settle({ ...failure, state: "dead" });
	}
}
