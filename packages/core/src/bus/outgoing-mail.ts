import type { BusError } from "../errors/bus-error.js";
import type { Json } from "../json/json-values.js";
import { Fifo } from "../stream/fifo.js";
import { leftBus, unknownRecipient } from "./bus-errors.js";
import type { BusLog } from "./bus-log.js";
import type { BusStatistics } from "./bus-statistics.js";
import type { BusConnection, DeliveryFailure, DeliveryOutcome } from "./bus-transport.js";
import type { ChannelContents } from "./channel-content.js";
import { ContentTurns } from "./content-turns.js";
import type { DeadLetterBox } from "./dead-letters.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import type { Letter, Sender } from "./letter.js";
import { OpenMessages } from "./open-messages.js";
import type { OpenWork } from "./open-work.js";
import type { Outbox } from "./outbox.js";
import { type Origin, OutgoingMessage } from "./outgoing-message.js";
import { type MessageRecord, messageFrom, RobotMessage } from "./robot-message.js";
import { Sending } from "./sending.js";

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
	/** What takes longer to be sent. */
	readonly #sending: Set<Sending> = new Set();
	readonly #turns: ContentTurns = new ContentTurns();
	/** Those whose senders gave up while they waited for room. */
	readonly #abandoned: Fifo<OutgoingMessage> = new Fifo();

	/** The last whose transport failed to take it. */
	#unsent: OutgoingMessage | undefined;

	constructor(ports: MailPorts) {
		this.#ports = ports;
	}

	get end(): BusError | undefined {
		return this.#ports.end;
	}

	/** Resolves when every recipient's queue has taken it. Rejects, and never throws. */
	send(from: Sender, letter: Letter): Promise<OutgoingMessage> {
		try {
			if (this.end !== undefined) throw this.end;
			if (this.#unsent !== undefined) this.tidy();
			const content = this.#accept(letter);
			if (content instanceof Promise || this.#turns.isBusy(letter.to)) return this.#sendInTurn(new Sending(from, letter, false), content);
			const sent = this.#outgoing(from, letter, content);
			const taken = this.#publish(sent, letter.signal);
			if (taken !== undefined) return this.#untilTaken(new Sending(from, letter, false), sent, taken);
			return this.#withinTurn(sent);
		} catch (error) {
			return Promise.reject(error);
		}
	}

	/**
	 * The same without waiting for room: where nobody has the name any more, it is a dead letter. Throws, or rejects, where the content is none.
	 *
	 * @param isWanted Asked when the content has been checked for a while.
	 */
	answer(from: Sender, letter: Letter, isWanted: () => boolean): undefined | Promise<void> {
		const content = this.#accept(letter);
		if (!(content instanceof Promise || this.#turns.isBusy(letter.to))) return this.#postAnswer(from, letter, content);
		const pass = (accepted: Json): void => {
			if (isWanted()) this.#postAnswer(from, letter, accepted);
		};
		return this.#turns.when({ channel: letter.to, content, signal: undefined, pass });
	}

	settled(messageId: string, outcome: DeliveryOutcome): void {
		if (this.#unsent !== undefined) this.tidy();
		const sent = this.#open.find(messageId);
		if (sent !== undefined) this.#note(sent, outcome);
	}

	waits(messageId: string): void {
		const sent = this.#open.find(messageId);
		if (sent !== undefined) this.#ports.statistics.of(sent.record.to).throttled += 1;
	}

	answered(record: MessageRecord): void {
		const { inReplyTo = "", to } = record;
		if (!inReplyTo.startsWith(`${to}:`)) return;
		const id = inReplyTo.slice(to.length + 1);
		const sent = this.#open.find(id) ?? this.#findKept(to, id);
		// an id is that of one message, but anybody may write a key
		if (sent?.record.from !== to) return;
		// whoever asked may have moved: then its former bus and its present one are told, one right after the other
		if (sent.replies.at(-1)?.id === record.id) return;
		sent.answered(Object.freeze(messageFrom(record, this.#ports.contents.json)));
		sent.sender.outbox.noteReply(sent);
	}

	remember(sent: OutgoingMessage): void {
		this.#open.add(sent);
	}

	forget(sent: OutgoingMessage): void {
		this.#open.delete(sent);
	}

	/** No answer reaches a member any more. */
	left(sender: Sender): void {
		for (const sent of this.#open.all) if (sent.sender === sender) sent.endWaiting(leftBus(sender.name));
	}

	/** The connection has ended: of what is not settled by now nobody will tell. */
	giveUp(error: BusError): void {
		for (const sending of [...this.#sending]) this.#failed(sending, error);
		this.#turns.end(error);
		for (const sent of this.#open.all) {
			for (let missing = sent.missing; missing > 0; missing--) this.#note(sent, { state: "dead", reason: "lost", attempts: 0 });
			sent.endWaiting(error);
		}
	}

	/** Forgets what its transport failed to take. */
	tidy(): void {
		while (this.#unsent !== undefined) {
			const sent = this.#unsent;
			this.#unsent = sent.unsentBefore;
			this.#unsend(sent);
		}
	}

	#accept(letter: Letter): Json | Promise<Json> {
		try {
			return this.#ports.contents.accept(letter);
		} catch (error) {
			letter.onRefused?.(error);
			throw error;
		}
	}

	#sendInTurn(sending: Sending, content: Json | Promise<Json>): Promise<OutgoingMessage> {
		const { from, letter } = sending;
		const { work } = this.#ports;
		const pass = (accepted: Json): void => {
			if (!this.#sending.delete(sending)) return;
			const sent = this.#outgoing(from, letter, accepted);
			const taken = this.#publish(sent, letter.signal);
			if (taken === undefined) sending.taken(this.#withinTurn(sent));
			else void this.#untilTaken(sending, sent, taken);
		};
		work.begin();
		this.#sending.add(sending);
		this.#turns
			.when({ channel: letter.to, content, signal: letter.signal, pass })
			.catch((error: unknown) => this.#unchecked(sending, error))
			.finally(() => work.end());
		return sending.outcome;
	}

	/** A content was refused, or is waited for no longer. */
	#unchecked(sending: Sending, error: unknown): void {
		if (!this.#sending.delete(sending)) return; // given up before
		if (sending.isStopped) {
			sending.failedAsTold(error);
			return;
		}
		sending.letter.onRefused?.(error);
		sending.failed(error);
	}

	#postAnswer(from: Sender, letter: Letter, content: Json): undefined {
		const sent = this.#outgoing(from, letter, content);
		const taken = this.#publish(sent, undefined);
		if (taken !== undefined) void this.#untilTaken(new Sending(from, letter, true), sent, taken);
	}

	#outgoing(from: Sender, { to, inReplyTo }: Letter, content: Json): OutgoingMessage {
		const { connection } = this.#ports;
		const record = new RobotMessage({ id: connection.nextId(), from: from.name, to, content, inReplyTo, sentAt: Date.now() });
		return new OutgoingMessage(record, from, this);
	}

	#findKept(name: string, id: string): OutgoingMessage | undefined {
		for (const outbox of this.#ports.outboxesOf(name)) {
			const sent = outbox.find(id);
			if (sent !== undefined) return sent;
		}
		return undefined;
	}

	/** `undefined`: every queue has taken it. */
	#publish(sent: OutgoingMessage, signal: AbortSignal | undefined): undefined | number | Promise<number> {
		this.#open.add(sent);
		this.#ports.work.begin();
		try {
			const taken = this.#ports.connection.publish(sent.record, signal);
			if (typeof taken !== "number" || taken === 0) return taken;
			this.#taken(sent, taken);
			return undefined;
		} catch (error) {
			// without a call: whoever ran out of stack has no room for one
			sent.unsentBefore = this.#unsent;
			this.#unsent = sent;
			throw error;
		}
	}

	/** Whoever sends one after the other must not fill the queues of those who leave the turn to others. */
	#withinTurn(sent: OutgoingMessage): Promise<OutgoingMessage> {
		const { turn } = this.#ports;
		return turn.isLong ? turn.end.then(() => sent) : Promise.resolve(sent);
	}

	#untilTaken(sending: Sending, sent: OutgoingMessage, taken: number | Promise<number>): Promise<OutgoingMessage> {
		sending.sent = sent;
		this.#sending.add(sending);
		void this.#follow(sending, sent, taken);
		return sending.outcome;
	}

	async #follow(sending: Sending, sent: OutgoingMessage, taken: number | Promise<number>): Promise<void> {
		try {
			const recipients = await taken;
			if (!this.#sending.has(sending)) return; // given up before
			if (recipients > 0) {
				this.#sending.delete(sending);
				this.#taken(sent, recipients);
				sending.taken(sent);
			} else await this.#nobody(sending, sent);
		} catch (error) {
			this.#failed(sending, error);
		}
	}

	async #nobody(sending: Sending, sent: OutgoingMessage): Promise<void> {
		this.#sending.delete(sending);
		this.#unsend(sent);
		const { to } = sent.record;
		if (sending.isAnswer) {
			this.#ports.log?.message(sent.record, 0);
			this.#die(sent, { reason: "left", attempts: 0 });
		} else sending.failed(unknownRecipient(to, await this.#names()));
	}

	/** Of those who can be sent to, as far as that can be found out. */
	async #names(): Promise<readonly string[]> {
		try {
			return await this.#ports.connection.channels();
		} catch {
			return [];
		}
	}

	/** What was to be sent is dead, unless whoever sends gave up. */
	#failed(sending: Sending, error: unknown): void {
		if (!this.#sending.delete(sending)) return;
		const sent = sending.sent ?? this.#asGiven(sending);
		if (sent === undefined) {
			sending.failed(error);
			return;
		}
		this.#ports.log?.message(sent.record, 0);
		if (sending.sent !== undefined) {
			if (sending.isStopped) this.#abandon(sent);
			else this.#unsend(sent);
		}
		sending.failedAsTold(error);
		if (!sending.isStopped) this.#die(sent, { reason: this.end?.code === "connection_lost" ? "lost" : "closed", attempts: 0 });
	}

	/** With the content as it was given, which was not checked any more. `undefined` where that is no plain data. */
	#asGiven({ from, letter }: Sending): OutgoingMessage | undefined {
		try {
			return this.#outgoing(from, letter, this.#ports.contents.json.accept(letter.content, "Cannot send"));
		} catch {
			return undefined;
		}
	}

	#taken(sent: OutgoingMessage, recipients: number): void {
		const { record, sender } = sent;
		this.#ports.statistics.of(record.to).published += 1;
		// who answers is not told what becomes of that, and does not ask
		if (record.inReplyTo === undefined) sender.outbox.add(sent);
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
}
