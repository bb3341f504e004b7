import { BusError } from "../errors/bus-error.js";
import type { BusConnection, BusListener, ChannelQueue, ChannelSubscription, DeliveryOutcome } from "./bus-transport.js";
import type { InProcessBroker, ReplyListener } from "./in-process-broker.js";
import { InProcessDelivery, type Publisher } from "./in-process-delivery.js";
import { Links } from "./in-process-links.js";
import { InProcessQueue } from "./in-process-queue.js";
import { InProcessWaiter } from "./in-process-waiter.js";
import type { MessageRecord } from "./robot-message.js";

export class InProcessConnection implements BusConnection, Publisher, ReplyListener {
	readonly #broker: InProcessBroker;
	readonly #listener: BusListener;
	readonly #queues: Set<InProcessQueue> = new Set();
	readonly #waiters: Set<InProcessWaiter> = new Set();
	/** What was delivered to the queues, in order. */
	readonly #unsettled: Links<InProcessDelivery> = new Links();
	#state: "open" | "closing" | "closed" = "open";

	constructor(broker: InProcessBroker, listener: BusListener) {
		this.#broker = broker;
		this.#listener = listener;
		broker.addConnection(this);
	}

	nextId(): string {
		return this.#broker.nextId();
	}

	channels(): readonly string[] | Promise<readonly string[]> {
		return this.#state === "open" ? this.#broker.channels : Promise.reject(closedError("tell who is on the bus"));
	}

	publish(message: MessageRecord, signal?: AbortSignal): number | Promise<number> {
		if (this.#state !== "open") return Promise.reject(closedError(`publish to "${message.to}"`));
		if (signal?.aborted) return Promise.reject(signal.reason);
		const queues = this.#broker.queuesOf(message.to);
		if (queues.length === 0) return 0;
		let waiting: InProcessDelivery[] | undefined;
		for (const queue of queues) {
			const delivery = new InProcessDelivery(message, this, queue);
			if (queue.offer(delivery)) continue;
			waiting ??= [];
			waiting.push(delivery);
		}
		const answer = waiting === undefined ? queues.length : this.#wait(queues.length, waiting, signal);
		if (message.inReplyTo !== undefined) this.#broker.tellOfReply(message);
		this.#broker.handover.run();
		return answer;
	}

	subscribe(channel: string, queue: ChannelQueue): ChannelSubscription {
		if (this.#state !== "open") return { ready: rejection(closedError(`subscribe to "${channel}"`)), unsubscribe: () => {} };
		const added = new InProcessQueue(channel, queue, this.#unsettled, this.#broker.handover);
		this.#queues.add(added);
		this.#broker.addQueue(added);
		return { ready: undefined, unsubscribe: () => this.#unsubscribe(added) };
	}

	close(): void {
		if (this.#state !== "open") return;
		this.#state = "closing";
		this.#broker.removeConnection(this);
		for (const queue of this.#queues) this.#end(queue, "closed");
		for (const waiter of this.#waiters) waiter.giveUp(closedError("publish any longer"));
		for (let delivery = this.#unsettled.first; delivery !== undefined; delivery = this.#unsettled.first)
			delivery.nack({ reason: "closed", attempts: 0 });
		for (const queue of this.#queues) queue.refuse("closed");
		this.#queues.clear();
		this.#state = "closed";
	}

	tell(messageId: string, outcome: DeliveryOutcome): void {
		if (this.#state !== "closed") this.#listener.onSettled(messageId, outcome);
	}

	tellOfReply(message: MessageRecord): void {
		this.#listener.onReply(message);
	}

	#unsubscribe(queue: InProcessQueue): void {
		this.#queues.delete(queue);
		this.#end(queue, "left");
		queue.refuse("left");
	}

	#end(queue: InProcessQueue, reason: "left" | "closed"): void {
		queue.end(reason);
		this.#broker.removeQueue(queue);
	}

	#wait(recipients: number, deliveries: readonly InProcessDelivery[], signal: AbortSignal | undefined): Promise<number> {
		const waiter = new InProcessWaiter({ recipients, deliveries, signal, onEnd: () => this.#waiters.delete(waiter) });
		this.#waiters.add(waiter);
		return waiter.answer;
	}
}

const closedError = (action: string): BusError =>
	new BusError("closed", `Cannot ${action}: this connection to the bus is closed. Join the bus anew.`);

/** Which is no unhandled one where nobody asks. */
function rejection(error: BusError): Promise<never> {
	const rejected = Promise.reject(error);
	rejected.catch(() => {});
	return rejected;
}
