import type { DeliveryFailure, DeliveryOutcome, TransportDelivery } from "./bus-transport.js";
import type { Linked } from "./in-process-links.js";
import type { MessageRecord } from "./robot-message.js";

const ACKED: DeliveryOutcome = Object.freeze({ state: "acked" });

/** Who hears what became of a message. */
export interface Publisher {
	tell(messageId: string, outcome: DeliveryOutcome): void;
}

/** Where a delivery waits for room, and takes it. */
export interface DeliveryPlace {
	/** It waits for room no longer. */
	withdraw(delivery: InProcessDelivery): void;
	/** It has room, and its turn has come. */
	receive(delivery: InProcessDelivery): void;
	/** It needs its room no longer. */
	release(delivery: InProcessDelivery): void;
	/** Whoever published it has been told: those may be handed over that have taken its room. */
	goOn(): void;
}

/** Who waits until a message has room with each subscriber. */
export interface RoomWaiter {
	/** One more has. */
	took(): void;
}

/** One message for one subscriber: it waits for room, takes it, and is settled once. */
export class InProcessDelivery implements TransportDelivery, Linked<InProcessDelivery> {
	readonly message: MessageRecord;
	readonly #publisher: Publisher;
	readonly #place: DeliveryPlace;
	#state: "waits" | "taken" | "settled" = "waits";
	#waiter: RoomWaiter | undefined = undefined;
	before: InProcessDelivery | undefined = undefined;
	after: InProcessDelivery | undefined = undefined;

	constructor(message: MessageRecord, publisher: Publisher, place: DeliveryPlace) {
		this.message = message;
		this.#publisher = publisher;
		this.#place = place;
	}

	/** @param waiter Hears when it waits no longer, unless it is withdrawn. */
	waitFor(waiter: RoomWaiter): void {
		this.#waiter = waiter;
	}

	/** Whoever published it gives up. Changes nothing where it has taken its room. */
	withdraw(): void {
		if (this.#state !== "waits") return;
		this.#state = "settled";
		this.#place.withdraw(this);
	}

	take(): void {
		this.#state = "taken";
		this.#waiter?.took();
	}

	/** There will be no room. */
	refuse(failure: DeliveryFailure): void {
		this.#state = "settled";
		this.#publisher.tell(this.message.id, deathOf(failure));
		this.#waiter?.took();
	}

	handOver(): void {
		this.#place.receive(this);
	}

	ack(): void {
		this.#settle(ACKED);
	}

	nack(failure: DeliveryFailure): void {
		this.#settle(deathOf(failure));
	}

	#settle(outcome: DeliveryOutcome): void {
		if (this.#state !== "taken") return;
		this.#state = "settled";
		this.#place.release(this);
		this.#publisher.tell(this.message.id, outcome);
		this.#place.goOn();
	}
}

const deathOf = (failure: DeliveryFailure): DeliveryOutcome => Object.freeze({ ...failure, state: "dead" });
