import { BusError } from "../errors/bus-error.js";
import type { Json } from "../json/json-values.js";
import { Fifo } from "../stream/fifo.js";
import { describeValue } from "../text/describe-value.js";
import { nearestNames } from "../text/nearest-names.js";
import type { BusLog } from "./bus-log.js";
import type { BusStatistics } from "./bus-statistics.js";
import type { BusConnection, DeliveryFailure, DeliveryOutcome } from "./bus-transport.js";
import type { ChannelContents } from "./channel-content.js";
import type { DeadLetterBox } from "./dead-letters.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import { OpenMessages } from "./open-messages.js";
import type { OpenWork } from "./open-work.js";
import type { Outbox } from "./outbox.js";
import { type MessageRecord, messageFrom, RobotMessage } from "./robot-message.js";
import { type Origin, OutgoingMessage } from "./sent-message.js";

/** Who sends. */
export interface Sender {
	readonly name: string;
	readonly outbox: Outbox;
}

/** What is to be sent. */
export interface Letter {
	readonly to: string;
	readonly content: unknown;
	/** The key of the message that it answers. */
	readonly inReplyTo?: string | undefined;
	/** Ends the waiting for room. */
	readonly signal?: AbortSignal | undefined;
}

/** What is needed of the bus to send. */
export interface MailPorts {
	readonly connection: BusConnection;
	readonly contents: ChannelContents;
	readonly statistics: BusStatistics;
	readonly deadLetters: DeadLetterBox;
	readonly turn: EventLoopTurn;
	readonly work: OpenWork;
	readonly log: BusLog | undefined;
	/** Why nothing can be sent any more. */
	readonly end: BusError | undefined;
	/** Those of the members that have a name. */
	outboxesOf(name: string): Iterable<Outbox>;
}

const MAX_ABANDONED = 1_000;

/** What was sent from a bus, and what becomes of it. */
export class OutgoingMail implements Origin {
	readonly #ports: MailPorts;
	/** Those that are not settled, and those to which an answer is waited for. */
	readonly #open: OpenMessages = new OpenMessages();

	/** Those whose senders gave up while they waited for room. */
	readonly #abandoned: Fifo<OutgoingMessage> = new Fifo();

	constructor(ports: MailPorts) {
		this.#ports = ports;
	}

	get end(): BusError | undefined {
		return this.#ports.end;
	}

	/** Resolves when every recipient's queue has taken it. Rejects, and never throws. */
	send(from: Sender, letter: Letter): Promise<OutgoingMessage> {
		try {
			this.#checkOpen();
			const content = this.#ports.contents.accept(letter.to, letter.content);
			if (content instanceof Promise) return this.#sendLater(from, letter, content);
			return this.#post(this.#outgoing(from, letter, content), letter.signal);
		} catch (error) {
			return Promise.reject(error);
		}
	}

	/** The same without waiting for room: where nobody has the name any more, it is a dead letter. Throws, or rejects, where the content is none. */
	answer(from: Sender, letter: Letter): undefined | Promise<void> {
		const content = this.#ports.contents.accept(letter.to, letter.content);
		if (content instanceof Promise) return content.then((accepted) => this.#postAnswer(from, letter, accepted));
		this.#postAnswer(from, letter, content);
		return undefined;
	}

	settled(messageId: string, outcome: DeliveryOutcome): void {
		const sent = this.#open.find(messageId);
		if (sent !== undefined) this.#note(sent, outcome);
	}

	answered(record: MessageRecord): void {
		const { inReplyTo = "", to } = record;
		if (!inReplyTo.startsWith(`${to}:`)) return;
		const id = inReplyTo.slice(to.length + 1);
		const sent = this.#open.find(id) ?? this.#findKept(to, id);
		// an id is that of one message, but anybody may write a key
		if (sent?.record.from !== to) return;
		sent.answered(Object.freeze(messageFrom(record, this.#ports.contents.json)));
		sent.outbox.noteReply(sent);
	}

	waits(messageId: string): void {
		const sent = this.#open.find(messageId);
		if (sent !== undefined) this.#ports.statistics.of(sent.message.to).throttled += 1;
	}

	remember(sent: OutgoingMessage): void {
		this.#open.add(sent);
	}

	forget(sent: OutgoingMessage): void {
		this.#open.delete(sent);
	}

	/** The connection has ended: of what is not settled by now nobody will tell. */
	giveUp(error: BusError): void {
		for (const sent of this.#open.all) {
			for (let missing = sent.missing; missing > 0; missing--) this.#note(sent, { state: "dead", reason: "lost", attempts: 0 });
			sent.endWaiting(error);
		}
	}

	async #sendLater(from: Sender, letter: Letter, content: Promise<Json>): Promise<OutgoingMessage> {
		this.#ports.work.begin();
		try {
			const accepted = await content;
			this.#checkOpen();
			return await this.#post(this.#outgoing(from, letter, accepted), letter.signal);
		} finally {
			this.#ports.work.end();
		}
	}

	#postAnswer(from: Sender, letter: Letter, content: Json): void {
		const sent = this.#outgoing(from, letter, content);
		this.#post(sent, undefined).catch((error: unknown) => {
			if (!BusError.isInstance(error) || error.code !== "unknown_recipient") return; // a dead letter already
			this.#ports.log?.message(sent.record, 0);
			this.#die(sent, { reason: "left", attempts: 0 });
		});
	}

	#outgoing(from: Sender, { to, inReplyTo }: Letter, content: Json): OutgoingMessage {
		const { connection, turn } = this.#ports;
		const record = new RobotMessage({ id: connection.nextId(), from: from.name, to, content, inReplyTo, sentAt: turn.time });
		return new OutgoingMessage(record, from.outbox, this);
	}

	#findKept(name: string, id: string): OutgoingMessage | undefined {
		for (const outbox of this.#ports.outboxesOf(name)) {
			const sent = outbox.find(id);
			if (sent !== undefined) return sent;
		}
		return undefined;
	}

	#post(sent: OutgoingMessage, signal: AbortSignal | undefined): Promise<OutgoingMessage> {
		const { turn, work, connection } = this.#ports;
		this.#open.add(sent);
		work.begin();
		const taken = connection.publish(sent.record, signal);
		if (typeof taken !== "number" || taken === 0) return this.#postSlowly(sent, taken, signal);
		this.#taken(sent, taken);
		// whoever sends one after the other must not fill the queues of those who leave the turn to others
		return turn.isLong ? turn.end.then(() => sent) : Promise.resolve(sent);
	}

	#postSlowly(sent: OutgoingMessage, taken: number | Promise<number>, signal: AbortSignal | undefined): Promise<OutgoingMessage> {
		const posted: Promise<OutgoingMessage> = this.#untilTaken(sent, taken, signal, () => void posted.catch(() => {}));
		return posted;
	}

	/** @param onTold Called where a rejection needs nobody who heeds it: whoever sends gave up, or there is a dead letter. */
	async #untilTaken(
		sent: OutgoingMessage,
		taken: number | Promise<number>,
		signal: AbortSignal | undefined,
		onTold: () => void,
	): Promise<OutgoingMessage> {
		const { to } = sent.record;
		let recipients: number;
		try {
			recipients = await taken;
		} catch (error) {
			this.#ports.log?.message(sent.record, 0);
			if (signal?.aborted) this.#abandon(sent);
			else this.#unsend(sent);
			onTold();
			if (!signal?.aborted) this.#die(sent, { reason: this.end?.code === "connection_lost" ? "lost" : "closed", attempts: 0 });
			throw error;
		}
		if (recipients > 0) {
			this.#taken(sent, recipients);
			return sent;
		}
		this.#unsend(sent);
		throw unknownRecipient(to, await this.#ports.connection.channels());
	}

	#taken(sent: OutgoingMessage, recipients: number): void {
		const { record } = sent;
		this.#ports.statistics.of(record.to).published += 1;
		sent.outbox.add(sent);
		this.#ports.log?.message(record, recipients);
		sent.taken(recipients);
		if (sent.isComplete) this.#completed(sent);
	}

	#note(sent: OutgoingMessage, outcome: DeliveryOutcome): void {
		const isLast = sent.note(outcome);
		if (outcome.state === "dead") this.#die(sent, outcome);
		if (isLast) this.#completed(sent);
	}

	#completed(sent: OutgoingMessage): void {
		if (sent.isForgettable) this.forget(sent);
		this.#ports.work.end();
	}

	/** Those who had room have it all the same, and it is unknown how many these are: of the last few it is told where they come to nothing. */
	#abandon(sent: OutgoingMessage): void {
		this.#abandoned.push(sent);
		const oldest = this.#abandoned.size > MAX_ABANDONED ? this.#abandoned.shift() : undefined;
		if (oldest !== undefined) this.forget(oldest);
		this.#ports.work.end();
	}

	#unsend(sent: OutgoingMessage): void {
		this.forget(sent);
		this.#ports.work.end();
	}

	#die(sent: OutgoingMessage, { reason, attempts, error }: DeliveryFailure): void {
		const { message } = sent;
		const letter = Object.freeze({ message, reason, attempts, ...(error !== undefined && { error }), diedAt: Date.now() });
		this.#ports.statistics.of(message.to).deadLettered += 1;
		this.#ports.log?.deadLetter(letter);
		this.#ports.deadLetters.add(letter, sent);
	}

	#checkOpen(): void {
		if (this.end !== undefined) throw this.end;
	}
}

function unknownRecipient(to: string, names: readonly string[]): BusError {
	const near = nearestNames(to, names).map((name) => JSON.stringify(name));
	const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
	const message = `Cannot send to ${describeValue(to)}: nobody on the bus has that name.${hint} Join first: robot.withBus(bus) or bus.join(name).`;
	return new BusError("unknown_recipient", message);
}
