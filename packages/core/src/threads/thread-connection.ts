import { randomBytes } from "node:crypto";
import type { BusConnection, BusListener, ChannelQueue, ChannelSubscription, DeliveryOutcome } from "../bus/bus-transport.js";
import { connectionClosed } from "../bus/connection-closed.js";
import { onGiveUp } from "../bus/on-give-up.js";
import type { MessageRecord } from "../bus/robot-message.js";
import type { GuestMessage, HostMessage } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";
import { PublishedMessages } from "./published-messages.js";
import { count, texts } from "./read-fields.js";
import { ThreadDelivery } from "./thread-delivery.js";
import { errorOf, GIVEN_UP, lostError } from "./thread-refusals.js";
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
		return this.#askUnlessAborted(signal, (id, canAbort) => {
			this.#post({ kind: "publish", ...id, message, canAbort });
			this.#published.add(message.id);
			return this.#ask(id.request, count, (recipients) => this.#published.expect(message.id, recipients));
		});
	}

	async untilSubscribed(channel: string, signal?: AbortSignal): Promise<void> {
		this.#checkOpen(`wait for "${channel}"`);
		return this.#askUnlessAborted(signal, (id, canAbort) => {
			this.#post({ kind: "await", ...id, channel, canAbort });
			return this.#ask(id.request, nothing);
		});
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
			case "waiting":
				this.#listener.onWaiting(message.messageId);
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
		this.#requests.refuseAll(connectionClosed("wait any longer"));
	}

	async #askUnlessAborted<T>(
		signal: AbortSignal | undefined,
		ask: (id: { readonly connection: string; readonly request: number }, canAbort: boolean) => Promise<T>,
	): Promise<T> {
		signal?.throwIfAborted();
		const id = { connection: this.name, request: this.#requests.nextNumber() };
		let given: { readonly reason: unknown } | undefined;
		const giveUp = (reason: unknown): void => {
			given = { reason };
			// the other side may have done it by now: it knows, and its answer counts
			this.#post({ kind: "withdraw", ...id });
		};
		const stopListening = signal && onGiveUp(signal, giveUp);
		try {
			return await ask(id, signal !== undefined);
		} catch (error) {
			throw error === GIVEN_UP && given !== undefined ? given.reason : error;
		} finally {
			stopListening?.();
		}
	}

	#ask<T>(request: number, read: (value: unknown) => T, onEnd?: (answer: T | undefined) => void): Promise<T> {
		const answer = this.#requests.ask(request, read, onEnd);
		this.#keep();
		return answer;
	}

	#checkOpen(action: string): void {
		if (this.#state === "lost") throw lostError(action);
		if (this.#state !== "open") throw connectionClosed(action);
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
