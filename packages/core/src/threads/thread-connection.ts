import { randomBytes } from "node:crypto";
import type { BusConnection, BusListener, ChannelQueue, ChannelSubscription, DeliveryOutcome } from "../bus/bus-transport.js";
import { connectionClosed } from "../bus/connection-closed.js";
import { onGiveUp } from "../bus/on-give-up.js";
import type { MessageRecord } from "../bus/robot-message.js";
import type { GuestMessage, HostMessage } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";
import { PublishedMessages } from "./published-messages.js";
import { count, texts } from "./read-fields.js";
import { errorOf, GIVEN_UP, lostError } from "./thread-refusals.js";
import { ThreadRequests } from "./thread-requests.js";
import { ThreadSubscriptions } from "./thread-subscriptions.js";

/** What the other side says about one connection. */
export type HeardMessage = Exclude<HostMessage, { readonly kind: "ended" | "serving" }>;

export interface ThreadConnectionOptions {
	readonly listener: BusListener;
	/** Answers whether it is on its way; if not, nobody is there yet, or any longer. */
	readonly post: (message: GuestMessage) => boolean;
	/** Takes back a request that is not on its way. Answers whether there was one. */
	readonly unsay: (connection: string, request: number) => boolean;
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
	readonly #unsay: (connection: string, request: number) => boolean;
	readonly #onEnd: () => void;
	readonly #requests: ThreadRequests = new ThreadRequests();
	readonly #published: PublishedMessages = new PublishedMessages();
	readonly #subscriptions: ThreadSubscriptions = new ThreadSubscriptions((delivery, outcome) => this.#settle(delivery, outcome));
	readonly #keepAlive: KeepAlive = new KeepAlive();
	#state: "open" | "closing" | "closed" | "lost" = "open";
	#closed: Promise<void> | undefined;
	#lastId = 0;

	constructor({ listener, post, unsay, onEnd }: ThreadConnectionOptions) {
		this.#listener = listener;
		this.#post = post;
		this.#unsay = unsay;
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

	async #subscribe(request: number, channel: string, queue: ChannelQueue): Promise<void> {
		this.#checkOpen(`subscribe to "${channel}"`);
		this.#post({ kind: "subscribe", connection: this.name, request, channel, capacity: queue.capacity });
		this.#subscriptions.add(request, queue);
		await this.#ask(request, nothing);
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
		const request = this.#requests.nextNumber();
		this.#subscriptions.forgetAll();
		if (this.#post({ kind: "close", connection: this.name, request })) {
			// it has closed it, or is gone: nothing is left of it either way
			await this.#ask(request, nothing).catch(nothing);
		}
		if (this.#state !== "closing") return;
		this.#end("closed");
		this.#requests.refuseAll(connectionClosed("wait any longer"));
	}

	/** @param ask Posts it, with whether `withdraw` may come. */
	async #askUnlessAborted<T>(
		signal: AbortSignal | undefined,
		ask: (id: { readonly connection: string; readonly request: number }, canAbort: boolean) => Promise<T>,
	): Promise<T> {
		signal?.throwIfAborted();
		const request = this.#requests.nextNumber();
		let given: { readonly reason: unknown } | undefined;
		const stopListening =
			signal &&
			onGiveUp(signal, (reason) => {
				given = { reason };
				this.#withdraw(request);
			});
		try {
			return await ask({ connection: this.name, request }, signal !== undefined);
		} catch (error) {
			throw error === GIVEN_UP && given !== undefined ? given.reason : error;
		} finally {
			stopListening?.();
		}
	}

	#withdraw(request: number): void {
		// what was said the other side may have done by now: it knows, and its answer counts
		if (!this.#unsay(this.name, request)) this.#post({ kind: "withdraw", connection: this.name, request });
		else this.#requests.refuse(request, GIVEN_UP);
		this.#keep();
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
