import { Fifo } from "../stream/fifo.js";
import type { InProcessDelivery } from "./in-process-delivery.js";

/**
 * Hands over what has taken its room, one after the other. What is published or settled while a subscriber receives comes behind what is to be handed over
 * by then: so each receives in the order of the calls, and who answers while it receives does not run out of stack.
 */
export class InProcessHandover {
	readonly #deliveries: Fifo<InProcessDelivery> = new Fifo();
	#isBusy = false;

	add(delivery: InProcessDelivery): void {
		this.#deliveries.push(delivery);
	}

	/** Until nothing is left, unless that is being done already. */
	run(): void {
		if (!this.#isBusy && this.#deliveries.size > 0) this.#whileBusy(this.#handAllOver);
	}

	/** Does something before anything more is handed over. */
	after(action: () => void): void {
		if (this.#isBusy) action();
		else this.#whileBusy(action);
	}

	readonly #handAllOver = (): void => {
		for (let delivery = this.#deliveries.shift(); delivery !== undefined; delivery = this.#deliveries.shift()) delivery.handOver();
	};

	#whileBusy(action: () => void): void {
		this.#isBusy = true;
		try {
			action();
		} finally {
			// whoever runs out of stack in here must not hold up all others
			this.#isBusy = false;
		}
	}
}
