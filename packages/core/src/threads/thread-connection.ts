import { randomBytes } from "node:crypto";
import type { BusConnection, BusListener, ChannelQueue, ChannelSubscription, DeliveryOutcome } from "../bus/bus-transport.js";
import type { MessageRecord } from "../bus/robot-message.js";
import { onAbort } from "../process/on-abort.js";
import type { GuestMessage, HostMessage } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";
import { PublishedMessages } from "./published-messages.js";
import { count, texts } from "./read-fields.js";
import { ThreadDelivery } from "./thread-delivery.js";
import { closedError, errorOf, GIVEN_UP, lostError } from "./thread-refusals.js";
import { ThreadRequests } from "./thread-requests.js";

/** What the other side says about one connection. */
export type HeardMessage = Exclude<HostMessage, { readonly kind: "ended" | "serving" }>;

export interface ThreadConnectionOptions {
	readonly listener: BusListener;
	/** Answers whether it is on its way; if not, nobody is there yet, or any longer. */
	readonly post: (message: GuestMessage) => boolean;
	/** It is closed or lost. */
	readonly onEnd: () => void;
}

const ID_BYTES = 6;

/** A connection of this thread to the bus of another. */
export class ThreadConnection implements BusConnection {
	/** That no other connection has, of any thread. */
	readonly name: string = randomBytes(ID_BYTES).toString("hex");
	readonly #listener: BusListener;
	readonly #post: (message: GuestMessage) => boolean;
	readonly #onEnd: () => void;
	readonly #requests: ThreadRequests = new ThreadRequests();
	readonly #published: PublishedMessages = new PublishedMessages();
	readonly #queues: Map<number, ChannelQueue> = new Map();
	/** The numbers of the deliveries that are to be settled here. */
	readonly #unsettled: Set<number> = new Set();
	readonly #keepAlive: KeepAlive = new KeepAlive();
	#state: "open" | "closing" | "closed" | "lost" = "open";
	#closed: Promise<void> | undefined;
	#lastId = 0;

	constructor({ listener, post, onEnd }: ThreadConnectionOptions) {
		this.#listener = listener;
		this.#post = post;
		this.#onEnd = onEnd;
	}

	nextId(): string {
		this.#lastId += 1;
		return `${this.name}-${this.#lastId}`;
	}

	async publish(message: MessageRecord, signal?: AbortSignal): Promise<number> {
		this.#checkOpen(`publish to "${message.to}"`);
		signal?.throwIfAborted();
		const request = this.#requests.nextNumber();
		const id = { connection: this.name, request };
		this.#post({ kind: "publish", ...id, message, canAbort: signal !== undefined });
		this.#published.add(message.id);
		// the other side may have put it into every queue by now: it knows, and its answer counts
		const stopListening = signal && onAbort(signal, () => this.#post({ kind: "withdraw", ...id }));
		try {
			return await this.#ask(request, count, (recipients) => this.#published.expect(message.id, recipients));
		} catch (error) {
			throw error === GIVEN_UP ? signal?.reason : error;
		} finally {
			stopListening?.();
		}
	}

	subscribe(channel: string, queue: ChannelQueue): ChannelSubscription {
		const request = this.#requests.nextNumber();
		const ready = this.#subscribe(request, channel, queue);
		// nobody has to ask
		ready.catch(nothing);
		return { ready, unsubscribe: () => this.#unsubscribe(request) };
	}

	async channels(): Promise<readonly string[]> {
		this.#checkOpen("tell who is on the bus");
		const request = this.#requests.nextNumber();
		this.#post({ kind: "channels", connection: this.name, request });
		return this.#ask(request, texts);
	}

	close(): Promise<void> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	hear(message: HeardMessage): void {
		switch (message.kind) {
			case "answer":
				this.#requests.answer(message.request, message.value);
				break;
			case "refusal":
				this.#requests.refuse(message.request, errorOf(message.code, message.message));
				break;
			case "settled":
				this.#published.settle(message.messageId);
				this.#listener.onSettled(message.messageId, message.outcome);
				break;
			case "reply":
				if (this.#state === "open") this.#listener.onReply(message.message);
				break;
			case "delivery":
				this.#receive(message);
				break;
			case "lost":
				this.lose(message.reason);
				break;
		}
		this.#keep();
	}

	/** The other side is gone. */
	lose(reason: string): void {
		const wasOpen = this.#state === "open";
		this.#end("lost");
		this.#requests.refuseAll(lostError("wait any longer", reason));
		if (wasOpen) this.#listener.onLost(reason);
	}

	async #subscribe(request: number, channel: string, queue: ChannelQueue): Promise<void> {
		this.#checkOpen(`subscribe to "${channel}"`);
		this.#post({ kind: "subscribe", connection: this.name, request, channel, capacity: queue.capacity });
		this.#queues.set(request, queue);
		await this.#ask(request, nothing);
	}

	#unsubscribe(subscription: number): void {
		if (!this.#queues.delete(subscription)) return;
		this.#post({ kind: "unsubscribe", connection: this.name, subscription });
		this.#keep();
	}

	#receive({ subscription, delivery, message }: Extract<HeardMessage, { readonly kind: "delivery" }>): void {
		this.#unsettled.add(delivery);
		const arrived = new ThreadDelivery(message, (outcome) => this.#settle(delivery, outcome));
		// it was on its way when the subscription ended, or the connection was closed
		const queue = this.#queues.get(subscription);
		if (queue === undefined) arrived.nack({ reason: "left", attempts: 0 });
		else queue.receive(arrived);
	}

	#settle(delivery: number, outcome: DeliveryOutcome): void {
		if (!this.#unsettled.delete(delivery)) return;
		this.#post({ kind: "settle", connection: this.name, delivery, outcome });
		this.#keep();
	}

	async #close(): Promise<void> {
		if (this.#state !== "open") return;
		this.#state = "closing";
		const request = this.#requests.nextNumber();
		this.#queues.clear();
		this.#unsettled.clear();
		if (this.#post({ kind: "close", connection: this.name, request })) {
			// it has closed it, or is gone: nothing is left of it either way
			await this.#ask(request, nothing).catch(nothing);
		}
		if (this.#state !== "closing") return;
		this.#end("closed");
		this.#requests.refuseAll(closedError("wait any longer"));
	}

	#ask<T>(request: number, read: (value: unknown) => T, onEnd?: (answer: T | undefined) => void): Promise<T> {
		const answer = this.#requests.ask(request, read, onEnd);
		this.#keep();
		return answer;
	}

	#checkOpen(action: string): void {
		if (this.#state === "lost") throw lostError(action);
		if (this.#state !== "open") throw closedError(action);
	}

	#keep(): void {
		if (this.#state === "closed" || this.#state === "lost") return;
		const isAtWork = this.#requests.size + this.#published.size + this.#unsettled.size > 0;
		this.#keepAlive.hold(isAtWork, this.#queues.size > 0);
	}

	#end(state: "closed" | "lost"): void {
		this.#state = state;
		this.#queues.clear();
		this.#unsettled.clear();
		this.#published.clear();
		this.#keepAlive.end();
		this.#onEnd();
	}
}

function nothing(): void {}
