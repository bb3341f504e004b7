import { randomBytes } from "node:crypto";
import type { BusConnection, BusListener, ChannelQueue, ChannelSubscription, DeliveryOutcome } from "../bus/bus-transport.js";
import { connectionClosed } from "../bus/connection-closed.js";
import type { MessageRecord } from "../bus/robot-message.js";
import type { GuestMessage, HostMessage } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";
import { PublishedMessages } from "./published-messages.js";
import { count, texts } from "./read-fields.js";
import { errorOf, lostError } from "./thread-refusals.js";
import { type Question, type RequestId, ThreadRequests } from "./thread-requests.js";
import { ThreadSubscriptions } from "./thread-subscriptions.js";

/** What the other side says about one connection. */
export type HeardMessage = Exclude<HostMessage, { readonly kind: "ended" | "serving" }>;

export interface ThreadConnectionOptions {
	readonly listener: BusListener;
	/** Answers whether it is on its way; if not, nobody is there yet, or any longer. */
	readonly post: (message: GuestMessage) => boolean;
	/** Takes back a request that is not on its way. Answers whether there was one. */
	readonly unsay: (id: RequestId) => boolean;
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
	readonly #requests: ThreadRequests;
	readonly #published: PublishedMessages = new PublishedMessages();
	readonly #subscriptions: ThreadSubscriptions = new ThreadSubscriptions((delivery, outcome) => this.#settle(delivery, outcome));
	readonly #keepAlive: KeepAlive = new KeepAlive();
	#state: "open" | "closing" | "closed" | "lost" = "open";
	#closed: Promise<void> | undefined;
	#lastId = 0;

	constructor({ listener, post, unsay, onEnd }: ThreadConnectionOptions) {
		this.#listener = listener;
		this.#post = post;
		this.#onEnd = onEnd;
		this.#requests = new ThreadRequests({ connection: this.name, post, unsay, onChange: () => this.#keep() });
	}

	nextId(): string {
		this.#lastId += 1;
		return `${this.name}-${this.#lastId}`;
	}

	publish(message: MessageRecord, signal?: AbortSignal): Promise<number> {
		return this.#ask(`publish to "${message.to}"`, {
			say: (id, canAbort) => {
				this.#post({ kind: "publish", ...id, message, canAbort });
				this.#published.add(message.id);
			},
			read: count,
			onEnd: (recipients) => this.#published.expect(message.id, recipients),
			signal,
		});
	}

	subscribe(channel: string, queue: ChannelQueue): ChannelSubscription {
		let unsubscribe = (): void => {};
		const say = (id: RequestId): void => {
			this.#post({ kind: "subscribe", ...id, channel, capacity: queue.capacity });
			this.#subscriptions.add(id.request, queue);
			unsubscribe = () => this.#unsubscribe(id.request);
		};
		const ready = this.#ask(`subscribe to "${channel}"`, { say, read: nothing });
		// nobody has to ask
		ready.catch(nothing);
		return { ready, unsubscribe: () => unsubscribe() };
	}

	channels(): Promise<readonly string[]> {
		const say = (id: RequestId): unknown => this.#post({ kind: "channels", ...id });
		return this.#ask("tell who is on the bus", { say, read: texts });
	}

	untilSubscribed(channel: string, signal?: AbortSignal): Promise<void> {
		const say = (id: RequestId, canAbort: boolean): unknown => this.#post({ kind: "await", ...id, channel, canAbort });
		return this.#ask(`wait for "${channel}"`, { say, read: nothing, signal });
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
				this.#subscriptions.receive(message);
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

	#unsubscribe(subscription: number): void {
		if (!this.#subscriptions.remove(subscription)) return;
		this.#post({ kind: "unsubscribe", connection: this.name, subscription });
		this.#keep();
	}

	#settle(delivery: number, outcome: DeliveryOutcome): void {
		this.#post({ kind: "settle", connection: this.name, delivery, outcome });
		this.#keep();
	}

	async #close(): Promise<void> {
		if (this.#state !== "open") return;
		this.#state = "closing";
		this.#subscriptions.forgetAll();
		let isOnItsWay = false;
		const say = (id: RequestId): void => {
			isOnItsWay = this.#post({ kind: "close", ...id });
		};
		// it has closed it, or is gone: nothing is left of it either way
		const answered = this.#requests.ask({ say, read: nothing }).catch(nothing);
		if (isOnItsWay) await answered;
		if (this.#state !== "closing") return;
		this.#end("closed");
		this.#requests.refuseAll(connectionClosed("wait any longer"));
	}

	async #ask<T>(action: string, question: Question<T>): Promise<T> {
		this.#checkOpen(action);
		return this.#requests.ask(question);
	}

	#checkOpen(action: string): void {
		if (this.#state === "lost") throw lostError(action);
		if (this.#state !== "open") throw connectionClosed(action);
	}

	#keep(): void {
		if (this.#state === "closed" || this.#state === "lost") return;
		const isAtWork = this.#requests.size + this.#published.size + this.#subscriptions.unsettled > 0;
		this.#keepAlive.hold(isAtWork, this.#subscriptions.size > 0);
	}

	#end(state: "closed" | "lost"): void {
		this.#state = state;
		this.#subscriptions.forgetAll();
		this.#published.clear();
		this.#keepAlive.end();
		this.#onEnd();
	}
}

function nothing(): void {}
