import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type {
	BusConnection,
	BusListener,
	BusTransport,
	ChannelSubscription,
	DeliveryOutcome,
	TransportDelivery,
} from "../bus/bus-transport.js";
import type { MessageRecord } from "../bus/robot-message.js";
import { BusError, type BusErrorCode } from "../errors/bus-error.js";

/** What a transport does, by way of those who are connected to it. */
export type TransportFact = (parties: ContractParties) => Promise<void>;

/** What may take a moment on a transport between machines. */
const ARRIVES_WITHIN_MS = 20_000;

const PAUSE_MS = 2;

/** Waits until something is so, which it is at once in one process. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
	for (const end = Date.now() + ARRIVES_WITHIN_MS; !isSo(); await wait(PAUSE_MS))
		assert.ok(Date.now() < end, `${what}: not so within ${ARRIVES_WITHIN_MS} ms`);
}

/** Asserts that it is refused with BusError of a code. */
export async function assertRefused(promised: unknown, code: BusErrorCode): Promise<void> {
	await assert.rejects(
		async () => promised,
		(error) => BusError.isInstance(error) && error.code === code,
	);
}

/** Those who are connected to one transport, for the length of a test. */
export class ContractParties implements AsyncDisposable {
	readonly transport: BusTransport;
	readonly #parties: ContractParty[] = [];

	constructor(transport: BusTransport) {
		this.transport = transport;
	}

	join(): ContractParty {
		const party = new ContractParty(this.transport);
		this.#parties.push(party);
		return party;
	}

	/** Until everybody has heard what was on its way: a connection hears of its own messages in order. */
	async settle(): Promise<void> {
		const open = this.#parties.filter((party) => !party.isClosed);
		for (let times = 0; times < 2; times += 1) await Promise.all(open.map((party) => party.connection.channels()));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all(this.#parties.map((party) => party.connection.close()));
	}
}

/** One connection, and what it is told. */
export class ContractParty implements BusListener {
	readonly connection: BusConnection;
	/** In the order in which it heard of them. */
	readonly outcomes: (readonly [messageId: string, outcome: DeliveryOutcome])[] = [];
	/** The ids of messages that had to wait for room. */
	readonly waiting: string[] = [];
	readonly replies: MessageRecord[] = [];
	/** Called with each reply, while the transport waits. */
	whenTold: (message: MessageRecord) => void = () => {};
	isLost = false;
	isClosed = false;

	constructor(transport: BusTransport) {
		this.connection = transport.connect(this);
	}

	onSettled(messageId: string, outcome: DeliveryOutcome): void {
		this.outcomes.push([messageId, outcome]);
	}

	onWaiting(messageId: string): void {
		this.waiting.push(messageId);
	}

	onReply(message: MessageRecord): void {
		this.replies.push(message);
		this.whenTold(message);
	}

	onLost(): void {
		this.isLost = true;
	}

	/** What became of one message, as far as it was told. */
	outcomesOf({ id }: MessageRecord): DeliveryOutcome[] {
		return this.outcomes.filter(([messageId]) => messageId === id).map(([, outcome]) => outcome);
	}

	message(to: string, content: MessageRecord["content"], more: Partial<MessageRecord> = {}): MessageRecord {
		return Object.freeze({ id: this.connection.nextId(), from: "somebody", to, content, ...more });
	}

	/** Publishes, and does not wait. */
	say(message: MessageRecord, signal?: AbortSignal): Said {
		return new Said(message, this.connection.publish(message, signal));
	}

	/** Publishes what has room with everybody, and answers how many these are. */
	async tell(to: string, ...contents: readonly MessageRecord["content"][]): Promise<MessageRecord[]> {
		const said = contents.map((content) => this.say(this.message(to, content)));
		return Promise.all(said.map(async ({ message, answer }) => ((await answer) > 0 ? message : assert.fail("nobody has subscribed"))));
	}

	/** @param act Called with each delivery, while it receives. */
	async subscribe(channel: string, capacity = 1_000, act: (delivery: TransportDelivery) => void = () => {}): Promise<ContractInbox> {
		const inbox = new ContractInbox(this.connection, channel, capacity, act);
		await inbox.subscription.ready;
		return inbox;
	}

	async close(): Promise<void> {
		this.isClosed = true;
		await this.connection.close();
	}
}

/** A message that is published. */
export class Said {
	readonly message: MessageRecord;
	readonly answer: Promise<number>;
	isAnswered = false;

	constructor(message: MessageRecord, published: number | Promise<number>) {
		this.message = message;
		this.answer = Promise.resolve(published);
		const end = (): void => {
			this.isAnswered = true;
		};
		this.answer.then(end, end);
	}
}

/** What one subscriber was handed. */
export class ContractInbox {
	readonly deliveries: TransportDelivery[] = [];
	readonly subscription: ChannelSubscription;

	constructor(connection: BusConnection, channel: string, capacity: number, act: (delivery: TransportDelivery) => void) {
		this.subscription = connection.subscribe(channel, {
			capacity,
			receive: (delivery) => {
				this.deliveries.push(delivery);
				act(delivery);
			},
		});
	}

	get contents(): unknown[] {
		return this.deliveries.map(({ message }) => message.content);
	}

	/** The delivery at a place, from 0. */
	at(place: number): TransportDelivery {
		return this.deliveries[place] ?? assert.fail(`there is no delivery at ${place}`);
	}

	async has(count: number): Promise<void> {
		await until(() => this.deliveries.length >= count, `${count} deliveries`);
		assert.equal(this.deliveries.length, count);
	}
}
