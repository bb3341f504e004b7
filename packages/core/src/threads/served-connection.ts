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
import { RobotLabError } from "../errors/robot-lab-error.js";
import { messageOf } from "../text/message-of.js";
import { type GuestMessage, type HostMessage, WITHDRAWN } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";

type Of<Kind extends GuestMessage["kind"]> = Extract<GuestMessage, { readonly kind: Kind }>;

/** What the other thread says about one connection. */
export type ConnectionMessage = Exclude<GuestMessage, { readonly kind: "ended" | "open" | "connect" }>;

type Answer = number | readonly string[] | undefined;

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
	/** Requests that wait for something, with what gives them up where that may be asked. */
	readonly #waiting: Map<number, AbortController | undefined> = new Map();
	readonly #keepAlive: KeepAlive = new KeepAlive();
	#lastDelivery = 0;
	#isOver = false;

	constructor({ name, transport, post, onEnd }: ServedConnectionOptions) {
		this.#name = name;
		this.#post = post;
		this.#onEnd = onEnd;
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
				this.#withdraw(message);
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
				this.#reply(message.request, () => this.#connection.channels());
				break;
			case "close":
				this.#close(message);
		}
	}

	#publish({ request, message, canAbort }: Of<"publish">): void {
		this.#answerWhenDone(request, canAbort, (signal) => this.#connection.publish(message, signal));
	}

	#await({ request, channel, canAbort }: Of<"await">): void {
		this.#answerWhenDone(request, canAbort, (signal) => this.#connection.untilSubscribed(channel, signal)?.then(() => undefined));
	}

	/** What is done at once is answered before anything else that is heard. */
	async #answerWhenDone(
		request: number,
		canAbort: boolean,
		ask: (signal: AbortSignal | undefined) => number | undefined | Promise<number | undefined>,
	): Promise<void> {
		const controller = canAbort ? new AbortController() : undefined;
		try {
			const asked = ask(controller?.signal);
			if (asked === undefined || typeof asked === "number") {
				this.#answer(request, asked);
				return;
			}
			this.#waiting.set(request, controller);
			this.#keep();
			this.#answer(request, await asked);
		} catch (error) {
			this.#refuse(request, error);
		}
		this.#waiting.delete(request);
		this.#keep();
	}

	#withdraw({ request }: Of<"withdraw">): void {
		this.#waiting.get(request)?.abort(new RobotLabError(WITHDRAWN, "The publish was given up."));
	}

	#subscribe({ request, channel, capacity }: Of<"subscribe">): void {
		const subscription = this.#connection.subscribe(channel, { capacity, receive: (delivery) => this.#receive(request, delivery) });
		this.#subscriptions.set(request, subscription);
		this.#reply(request, async () => {
			await subscription.ready;
			return undefined;
		});
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
		await this.#reply(request, async () => {
			await this.#connection.close();
			return undefined;
		});
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

	async #reply(request: number, ask: () => Answer | Promise<Answer>): Promise<void> {
		try {
			this.#answer(request, await ask());
		} catch (error) {
			this.#refuse(request, error);
		}
	}

	#answer(request: number, value: Answer): void {
		this.#tell({ kind: "answer", connection: this.#name, request, ...(value === undefined ? {} : { value }) });
	}

	#refuse(request: number, error: unknown): void {
		const code = RobotLabError.isInstance(error) ? error.code : "unexpected";
		this.#tell({ kind: "refusal", connection: this.#name, request, code, message: messageOf(error) });
	}

	#tell(message: HostMessage): void {
		if (!this.#isOver) this.#post(message);
	}

	#keep(): void {
		if (!this.#isOver) this.#keepAlive.hold(this.#deliveries.size + this.#waiting.size > 0, false);
	}

	#end(): void {
		this.#isOver = true;
		this.#deliveries.clear();
		this.#keepAlive.end();
		this.#onEnd();
	}
}

const LOST: DeliveryFailure = Object.freeze({ reason: "lost", attempts: 0 });

/** Nobody is left to be told where it fails, and the rest has to be let go all the same. */
async function letGo(act: () => unknown): Promise<void> {
	try {
		await act();
	} catch {}
}
