import type { BusError } from "../errors/bus-error.js";
import { Fifo } from "../stream/fifo.js";
import { leftBus } from "./bus-errors.js";
import type { BusLog } from "./bus-log.js";
import type { BusStatistics } from "./bus-statistics.js";
import type { DeliveryFailure, DeliveryOutcome } from "./bus-transport.js";
import type { ChannelContents } from "./channel-content.js";
import type { DeadLetterBox } from "./dead-letters.js";
import type { Sender } from "./letter.js";
import { OpenMessages } from "./open-messages.js";
import type { OpenWork } from "./open-work.js";
import type { Outbox } from "./outbox.js";
import type { Origin, OutgoingMessage } from "./outgoing-message.js";
import { type MessageRecord, messageFrom } from "./robot-message.js";

/** What is needed of the bus to tell what becomes of messages. */
export interface SentMailPorts {
	readonly contents: ChannelContents;
	readonly statistics: BusStatistics;
	readonly deadLetters: DeadLetterBox;
	readonly work: OpenWork;
	readonly log: BusLog | undefined;
	/** Why nothing can be sent any more. */
	readonly end: BusError | undefined;
	/** Those of the members that have a name. */
	outboxesOf(name: string): Iterable<Outbox>;
}

const MAX_ABANDONED = 1_000;

/** What was given to the transport, and what becomes of it. */
export class SentMail implements Origin {
	readonly #ports: SentMailPorts;
	/** Those that are not settled, and those to which an answer is waited for. */
	readonly #open: OpenMessages = new OpenMessages();
	/** Those whose senders gave up while they waited for room. */
	readonly #abandoned: Fifo<OutgoingMessage> = new Fifo();

	constructor(ports: SentMailPorts) {
		this.#ports = ports;
	}

	get end(): BusError | undefined {
		return this.#ports.end;
	}

	/** It is about to be given to the transport. */
	begin(sent: OutgoingMessage): void {
		this.#open.add(sent);
		this.#ports.work.begin();
	}

	settled(messageId: string, outcome: DeliveryOutcome): void {
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
		for (const sent of this.#open.all) {
			for (let missing = sent.missing; missing > 0; missing--) this.#note(sent, { state: "dead", reason: "lost", attempts: 0 });
			sent.endWaiting(error);
		}
	}

	taken(sent: OutgoingMessage, recipients: number): void {
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
		if (outcome.state === "dead") this.die(sent, outcome);
		if (isLast) this.#completed(sent);
	}

	#completed(sent: OutgoingMessage): void {
		if (sent.isForgettable) this.forget(sent);
		this.#ports.work.end();
	}

	/** Those who had room have it all the same, and it is unknown how many these are: of the last few it is told where they come to nothing. */
	abandon(sent: OutgoingMessage): void {
		this.#abandoned.push(sent);
		const oldest = this.#abandoned.size > MAX_ABANDONED ? this.#abandoned.shift() : undefined;
		if (oldest !== undefined) this.forget(oldest);
		this.#ports.work.end();
	}

	unsend(sent: OutgoingMessage): void {
		this.forget(sent);
		this.#ports.work.end();
	}

	die(sent: OutgoingMessage, { reason, attempts, error }: DeliveryFailure): void {
		const { message } = sent;
		const letter = Object.freeze({ message, reason, attempts, ...(error !== undefined && { error }), diedAt: Date.now() });
		this.#ports.statistics.of(message.to).deadLettered += 1;
		this.#ports.log?.deadLetter(letter);
		this.#ports.deadLetters.add(letter, sent);
	}

	#findKept(name: string, id: string): OutgoingMessage | undefined {
		for (const outbox of this.#ports.outboxesOf(name)) {
			const sent = outbox.find(id);
			if (sent !== undefined) return sent;
		}
		return undefined;
	}
}
