import type { BusConnection, BusListener, ChannelQueue, ChannelSubscription, DeliveryOutcome } from "./bus-transport.js";
import { connectionClosed, rejectClosed } from "./connection-closed.js";
import type { InProcessBroker, ReplyListener } from "./in-process-broker.js";
import { InProcessDelivery, type Publisher } from "./in-process-delivery.js";
import { Links } from "./in-process-links.js";
import { InProcessQueue } from "./in-process-queue.js";
import { InProcessWait, type Waiting } from "./in-process-wait.js";
import { InProcessWaiter } from "./in-process-waiter.js";
import type { MessageRecord } from "./robot-message.js";

export class InProcessConnection implements BusConnection, Publisher, ReplyListener {
	readonly #broker: InProcessBroker;
	readonly #listener: BusListener;
	readonly #queues: Set<InProcessQueue> = new Set();
	readonly #waits: Set<Waiting> = new Set();
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
		return this.#state === "open" ? this.#broker.channels : rejectClosed("tell who is on the bus");
	}

	untilSubscribed(channel: string, signal?: AbortSignal): Promise<void> | undefined {
		if (this.#state !== "open") return rejectClosed(`wait for "${channel}"`);
		if (signal?.aborted) return Promise.reject(signal.reason);
		if (this.#broker.queuesOf(channel).length > 0) return undefined;
		const arrival: InProcessWait<void> = new InProcessWait(this.#waits, () => this.#broker.forget(channel, arrival));
		if (signal !== undefined) arrival.heed(signal);
		this.#broker.awaitQueue(channel, arrival);
		return arrival.answer;
	}

	publish(message: MessageRecord, signal?: AbortSignal): number | Promise<number> {
		if (this.#state !== "open") return rejectClosed(`publish to "${message.to}"`);
		if (signal?.aborted) return Promise.reject(signal.reason);
		const queues = this.#broker.queuesOf(message.to);
		if (queues.length === 0) return 0;
		const answer = this.#hasRoom(queues) ? this.#put(message, queues) : this.#putOrWait(message, queues, signal);
		if (message.inReplyTo !== undefined) this.#broker.tellOfReply(message);
		if (typeof answer !== "number") this.#broker.handover.after(() => this.#listener.onWaiting(message.id));
		this.#broker.handover.run();
		return answer;
	}

	subscribe(channel: string, queue: ChannelQueue): ChannelSubscription {
		if (this.#state !== "open") return { ready: rejectClosed(`subscribe to "${channel}"`), unsubscribe: () => {} };
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
		for (const wait of this.#waits) wait.giveUp(connectionClosed("wait any longer"));
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

	#hasRoom(queues: readonly InProcessQueue[]): boolean {
		for (const queue of queues) if (!queue.hasRoom) return false;
		return true;
	}

	#put(message: MessageRecord, queues: readonly InProcessQueue[]): number {
		for (const queue of queues) queue.offer(new InProcessDelivery(message, this, queue));
		return queues.length;
	}

	/** Listens to the signal first: where that fails, nobody has the message. */
	#putOrWait(message: MessageRecord, queues: readonly InProcessQueue[], signal: AbortSignal | undefined): Promise<number> {
		const waiter = new InProcessWaiter(queues.length, this.#waits);
		if (signal !== undefined) waiter.wait.heed(signal);
		for (const queue of queues) {
			const delivery = new InProcessDelivery(message, this, queue);
			if (!queue.offer(delivery)) waiter.add(delivery);
		}
		return waiter.wait.answer;
	}
}
