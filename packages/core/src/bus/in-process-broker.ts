import { InProcessHandover } from "./in-process-handover.js";
import type { InProcessQueue } from "./in-process-queue.js";
import type { InProcessWait } from "./in-process-wait.js";
import { MessageIds } from "./message-ids.js";
import type { MessageRecord } from "./robot-message.js";

/** Who hears of every reply. */
export interface ReplyListener {
	tellOfReply(message: MessageRecord): void;
}

const NONE: readonly InProcessQueue[] = Object.freeze([]);

/** What the connections of one transport share. */
export class InProcessBroker {
	readonly handover: InProcessHandover = new InProcessHandover();
	/** Lists are never changed, but replaced: a publish that is under way goes to those of its beginning. */
	readonly #queues: Map<string, readonly InProcessQueue[]> = new Map();
	readonly #connections: Set<ReplyListener> = new Set();
	/** Those who wait for channels that have no queue. */
	readonly #arrivals: Map<string, Set<InProcessWait<void>>> = new Map();
	readonly #ids: MessageIds = new MessageIds();

	nextId(): string {
		return this.#ids.next();
	}

	/** The channels that have queues, sorted. */
	get channels(): readonly string[] {
		return [...this.#queues.keys()].sort();
	}

	queuesOf(channel: string): readonly InProcessQueue[] {
		return this.#queues.get(channel) ?? NONE;
	}

	addQueue(queue: InProcessQueue): void {
		this.#queues.set(queue.channel, [...this.queuesOf(queue.channel), queue]);
		for (const arrival of this.#arrivals.get(queue.channel) ?? []) arrival.come();
	}

	/** It comes with the first queue of a channel that has none. */
	awaitQueue(channel: string, arrival: InProcessWait<void>): void {
		const arrivals = this.#arrivals.get(channel) ?? new Set();
		this.#arrivals.set(channel, arrivals.add(arrival));
	}

	/** It is waited for no longer. Harmless where it was not. */
	forget(channel: string, arrival: InProcessWait<void>): void {
		const arrivals = this.#arrivals.get(channel);
		if (arrivals?.delete(arrival) && arrivals.size === 0) this.#arrivals.delete(channel);
	}

	/** Harmless where it is gone already. */
	removeQueue(queue: InProcessQueue): void {
		const others = this.queuesOf(queue.channel).filter((other) => other !== queue);
		if (others.length > 0) this.#queues.set(queue.channel, others);
		else this.#queues.delete(queue.channel);
	}

	addConnection(connection: ReplyListener): void {
		this.#connections.add(connection);
	}

	removeConnection(connection: ReplyListener): void {
		this.#connections.delete(connection);
	}

	tellOfReply(message: MessageRecord): void {
		this.handover.after(() => {
			for (const connection of this.#connections) connection.tellOfReply(message);
		});
	}
}
