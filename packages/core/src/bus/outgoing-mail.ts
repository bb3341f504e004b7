import type { BusError } from "../errors/bus-error.js";
import type { Json } from "../json/json-values.js";
import { unknownRecipient } from "./bus-errors.js";
import type { BusConnection } from "./bus-transport.js";
import { ContentTurns } from "./content-turns.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import type { Letter, Sender } from "./letter.js";
import { OutgoingMessage } from "./outgoing-message.js";
import { RobotMessage } from "./robot-message.js";
import { Sending } from "./sending.js";
import { SentMail, type SentMailPorts } from "./sent-mail.js";

/** What is needed of the bus to send. */
export interface MailPorts extends SentMailPorts {
	readonly connection: BusConnection;
	readonly turn: EventLoopTurn;
}

/** What is being sent from a bus. */
export class OutgoingMail {
	/** What has been. */
	readonly sent: SentMail;
	readonly #ports: MailPorts;
	/** What takes longer to be sent. */
	readonly #sending: Set<Sending> = new Set();
	readonly #turns: ContentTurns = new ContentTurns();
	/** The last whose transport failed to take it. */
	#unsent: OutgoingMessage | undefined;

	constructor(ports: MailPorts) {
		this.#ports = ports;
		this.sent = new SentMail(ports);
	}

	/** Resolves when every recipient's queue has taken it. Rejects, and never throws. */
	send(from: Sender, letter: Letter): Promise<OutgoingMessage> {
		try {
			if (this.#ports.end !== undefined) throw this.#ports.end;
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

	/** The connection has ended: of what is not settled by now nobody will tell. */
	giveUp(error: BusError): void {
		for (const sending of [...this.#sending]) this.#failed(sending, error);
		this.#turns.end(error);
		this.sent.giveUp(error);
	}

	/** Forgets what its transport failed to take. */
	tidy(): void {
		while (this.#unsent !== undefined) {
			const sent = this.#unsent;
			this.#unsent = sent.unsentBefore;
			this.sent.unsend(sent);
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
		const record = new RobotMessage({ id: connection.nextId(), from: from.name, to, content, inReplyTo });
		return new OutgoingMessage(record, from, this.sent);
	}

	/** `undefined`: every queue has taken it. */
	#publish(sent: OutgoingMessage, signal: AbortSignal | undefined): undefined | number | Promise<number> {
		this.sent.begin(sent);
		try {
			const taken = this.#ports.connection.publish(sent.record, signal);
			if (typeof taken !== "number" || taken === 0) return taken;
			this.sent.taken(sent, taken);
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
		return turn.isLong ? turn.end.then(() => sent) : sent.asPromise();
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
				this.sent.taken(sent, recipients);
				sending.taken(sent);
			} else await this.#nobody(sending, sent);
		} catch (error) {
			this.#failed(sending, error);
		}
	}

	async #nobody(sending: Sending, sent: OutgoingMessage): Promise<void> {
		this.#sending.delete(sending);
		this.sent.unsend(sent);
		const { to } = sent.record;
		if (sending.isAnswer) {
			this.#ports.log?.message(sent.record, 0);
			this.sent.die(sent, { reason: "left", attempts: 0 });
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
			if (sending.isStopped) this.sent.abandon(sent);
			else this.sent.unsend(sent);
		}
		sending.failedAsTold(error);
		if (!sending.isStopped) this.sent.die(sent, { reason: this.#ports.end?.code === "connection_lost" ? "lost" : "closed", attempts: 0 });
	}

	/** With the content as it was given, which was not checked any more. `undefined` where that is no plain data. */
	#asGiven({ from, letter }: Sending): OutgoingMessage | undefined {
		try {
			return this.#outgoing(from, letter, this.#ports.contents.json.accept(letter.content, "Cannot send"));
		} catch {
			return undefined;
		}
	}
}
