import type { ChannelQueue, DeadLetterReason } from "./bus-transport.js";
import type { DeliveryPlace, InProcessDelivery } from "./in-process-delivery.js";
import type { InProcessHandover } from "./in-process-handover.js";
import { Links } from "./in-process-links.js";

/** Why a queue takes nothing more. */
export type QueueEnd = Extract<DeadLetterReason, "left" | "closed">;

/** What one subscriber has not settled, and what waits for room there. */
export class InProcessQueue implements DeliveryPlace {
	readonly channel: string;
	readonly #receive: (delivery: InProcessDelivery) => void;
	/** Of the whole connection: a queue that has ended may still have some. */
	readonly #unsettled: Links<InProcessDelivery>;
	readonly #handover: InProcessHandover;
	/** Empty as long as there is room. */
	readonly #waiting: Links<InProcessDelivery> = new Links();
	#room: number;
	#end: QueueEnd | undefined;

	constructor(channel: string, { capacity, receive }: ChannelQueue, unsettled: Links<InProcessDelivery>, handover: InProcessHandover) {
		this.channel = channel;
		this.#room = capacity;
		this.#receive = receive;
		this.#unsettled = unsettled;
		this.#handover = handover;
	}

	/** Whether the next delivery need not wait. */
	get hasRoom(): boolean {
		return this.#room > 0;
	}

	/** Whether there was room. If not, the delivery waits behind the others that do. */
	offer(delivery: InProcessDelivery): boolean {
		if (this.hasRoom) {
			this.#take(delivery);
			return true;
		}
		this.#waiting.push(delivery);
		return false;
	}

	withdraw(delivery: InProcessDelivery): void {
		this.#waiting.remove(delivery);
	}

	receive(delivery: InProcessDelivery): void {
		if (this.#end === undefined) this.#receive(delivery);
		else delivery.nack({ reason: this.#end, attempts: 0 });
	}

	release(delivery: InProcessDelivery): void {
		this.#unsettled.remove(delivery);
		this.#room += 1;
		if (this.#end !== undefined || this.#waiting.first === undefined) return;
		const next = this.#waiting.first;
		this.#waiting.remove(next);
		this.#take(next);
	}

	goOn(): void {
		this.#handover.run();
	}

	/** Takes nothing more. What waits for room does so until it is refused. */
	end(reason: QueueEnd): void {
		this.#end = reason;
	}

	/** What waits for room is dead. */
	refuse(reason: QueueEnd): void {
		for (let delivery = this.#waiting.first; delivery !== undefined; delivery = this.#waiting.first) {
			this.#waiting.remove(delivery);
			delivery.refuse({ reason, attempts: 0 });
		}
	}

	#take(delivery: InProcessDelivery): void {
		this.#room -= 1;
		this.#unsettled.push(delivery);
		delivery.take();
		this.#handover.add(delivery);
	}
}
