import type { InProcessDelivery, RoomWaiter } from "./in-process-delivery.js";
import { InProcessWait, type Waiting } from "./in-process-wait.js";

/** Waits until a message has room with each subscriber, or is given up. */
export class InProcessWaiter implements RoomWaiter {
	/** Comes with the number of recipients. */
	readonly wait: InProcessWait<number>;
	readonly #recipients: number;
	/** Where it had no room at once. */
	readonly #deliveries: InProcessDelivery[] = [];
	#missing = 0;

	constructor(recipients: number, all: Set<Waiting>) {
		this.#recipients = recipients;
		this.wait = new InProcessWait(all, () => this.#withdraw());
	}

	add(delivery: InProcessDelivery): void {
		this.#missing += 1;
		this.#deliveries.push(delivery);
		delivery.waitFor(this);
	}

	took(): void {
		this.#missing -= 1;
		if (this.#missing === 0) this.wait.come(this.#recipients);
	}

	/** Where it has room it stays. */
	#withdraw(): void {
		for (const delivery of this.#deliveries) delivery.withdraw();
	}
}
