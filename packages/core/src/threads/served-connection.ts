import type {
	BusConnection,
	BusListener,
	BusTransport,
	ChannelSubscription,
	DeliveryFailure,
	DeliveryOutcome,
	TransportDelivery,
} from "../bus/bus-transport.js";
import type { MessageRecord } from "../bus/robot-message.js";
import type { GuestMessage, HostMessage } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";
import { ServedRequests } from "./served-requests.js";

type Of<Kind extends GuestMessage["kind"]> = Extract<GuestMessage, { readonly kind: Kind }>;

/** What the other thread says about one connection. */
export type ConnectionMessage = Exclude<GuestMessage, { readonly kind: "ended" | "open" | "connect" }>;

export interface ServedConnectionOptions {
	/** By which the other thread calls it. */
	readonly name: string;
	readonly transport: BusTransport;
	readonly post: (message: HostMessage) => void;
	/** Nothing more comes of it. */
	readonly onEnd: () => void;
}

/** A connection of another thread, on the side of the broker. */
export class ServedConnection implements BusListener {
	readonly #name: string;
	readonly #post: (message: HostMessage) => void;
	readonly #onEnd: () => void;
	readonly #connection: BusConnection;
	readonly #subscriptions: Map<number, ChannelSubscription> = new Map();
	readonly #deliveries: Map<number, TransportDelivery> = new Map();
	readonly #requests: ServedRequests;
	readonly #keepAlive: KeepAlive = new KeepAlive();
	#lastDelivery = 0;
	#isOver = false;

	constructor({ name, transport, post, onEnd }: ServedConnectionOptions) {
		this.#name = name;
		this.#post = post;
		this.#onEnd = onEnd;
		this.#requests = new ServedRequests({
			connection: name,
			tell: (message) => this.#tell(message),
			onChange: () => this.#keep(),
		});
		this.#connection = transport.connect(this);
	}

	hear(message: ConnectionMessage): void {
		switch (message.kind) {
			case "publish":
				this.#publish(message);
				break;
			case "await":
				this.#await(message);
				break;
			case "withdraw":
				this.#requests.withdraw(message.request);
				break;
			case "subscribe":
				this.#subscribe(message);
				break;
			case "unsubscribe":
				this.#unsubscribe(message);
				break;
			case "settle":
				this.#settle(message);
				break;
			case "channels":
				this.#requests.answer(message.request, () => this.#connection.channels());
				break;
			case "close":
				this.#close(message);
		}
	}

	#publish({ request, message, canAbort }: Of<"publish">): void {
		this.#requests.answer(request, (signal) => this.#connection.publish(message, signal), canAbort);
	}

	#await({ request, channel, canAbort }: Of<"await">): void {
		this.#requests.answer(request, (signal) => this.#connection.untilSubscribed(channel, signal)?.then(nothing), canAbort);
	}

	#subscribe({ request, channel, capacity }: Of<"subscribe">): void {
		const subscription = this.#connection.subscribe(channel, { capacity, receive: (delivery) => this.#receive(request, delivery) });
		this.#subscriptions.set(request, subscription);
		this.#requests.answer(request, () => subscription.ready?.then(nothing));
	}

	#unsubscribe({ subscription }: Of<"unsubscribe">): void {
		this.#subscriptions.get(subscription)?.unsubscribe();
		this.#subscriptions.delete(subscription);
	}

	#settle({ delivery, outcome }: Of<"settle">): void {
		const unsettled = this.#deliveries.get(delivery);
		this.#deliveries.delete(delivery);
		this.#keep();
		if (outcome.state === "acked") unsettled?.ack();
		else unsettled?.nack(outcome);
	}

	async #close({ request }: Of<"close">): Promise<void> {
		await this.#requests.answer(request, async () => nothing(await this.#connection.close()));
		this.#end();
	}

	/** The other side is gone: what it has not settled is lost, and who waits for it goes on. */
	abandon(): void {
		const deliveries = [...this.#deliveries.values()];
		this.#end();
		for (const subscription of this.#subscriptions.values()) letGo(() => subscription.unsubscribe());
		for (const delivery of deliveries) letGo(() => delivery.nack(LOST));
		letGo(() => this.#connection.close());
	}

	onSettled(messageId: string, outcome: DeliveryOutcome): void {
		this.#tell({ kind: "settled", connection: this.#name, messageId, outcome });
	}

	onWaiting(messageId: string): void {
		this.#tell({ kind: "waiting", connection: this.#name, messageId });
	}

	onReply(message: MessageRecord): void {
		this.#tell({ kind: "reply", connection: this.#name, message });
	}

	onLost(reason: string): void {
		this.#tell({ kind: "lost", connection: this.#name, reason });
		this.#end();
	}

	#receive(subscription: number, delivery: TransportDelivery): void {
		if (this.#isOver) {
			delivery.nack(LOST);
			return;
		}
		this.#lastDelivery += 1;
		this.#deliveries.set(this.#lastDelivery, delivery);
		this.#tell({ kind: "delivery", connection: this.#name, subscription, delivery: this.#lastDelivery, message: delivery.message });
		this.#keep();
	}

	#tell(message: HostMessage): void {
		if (!this.#isOver) this.#post(message);
	}

	#keep(): void {
		if (!this.#isOver) this.#keepAlive.hold(this.#deliveries.size + this.#requests.size > 0, false);
	}

	#end(): void {
		this.#isOver = true;
		this.#deliveries.clear();
		this.#keepAlive.end();
		this.#onEnd();
	}
}

function nothing(_?: unknown): undefined {}

const LOST: DeliveryFailure = Object.freeze({ reason: "lost", attempts: 0 });

/** Nobody is left to be told where it fails, and the rest has to be let go all the same. */
async function letGo(act: () => unknown): Promise<void> {
	try {
		await act();
	} catch {}
}
