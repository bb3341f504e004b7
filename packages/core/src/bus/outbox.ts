import { Fifo } from "../stream/fifo.js";
import type { RobotMessage } from "./robot-message.js";
import type { OutgoingMessage } from "./sent-message.js";

/** What became of a message that was sent. */
export interface OutboxEntry {
	readonly message: RobotMessage;
	/** `"replied"`: there are answers. `"dead"`: no recipient has handled it. */
	readonly status: "sent" | "replied" | "dead";
	/** In the order in which they came. */
	readonly replies: readonly RobotMessage[];
}

/** The last messages that one member sent, with their answers. */
export class Outbox {
	readonly #sent: Fifo<OutgoingMessage> = new Fifo();
	/** The most that are kept, answers included. */
	max = 0;
	/** Messages and answers. */
	#kept = 0;
	#dropped = 0;

	/** How many messages and answers were dropped, as there were more. */
	get dropped(): number {
		return this.#dropped;
	}

	/** As they are now, oldest first. */
	get entries(): readonly OutboxEntry[] {
		return Object.freeze(this.#sent.slice(0, this.#sent.size).map(entryOf));
	}

	add(sent: OutgoingMessage): void {
		sent.isKept = true;
		this.#sent.push(sent);
		this.#kept += 1 + sent.replies.length;
		if (this.#kept > this.max) this.#drop();
	}

	/** A message that is kept was answered once more. */
	noteReply(): void {
		this.#kept += 1;
		if (this.#kept > this.max) this.#drop();
	}

	/** A message that is kept. Those that are answered late are mostly among the last. */
	find(id: string): OutgoingMessage | undefined {
		for (let place = this.#sent.size - 1; place >= 0; place--) {
			const sent = this.#sent.at(place);
			if (sent?.message.id === id) return sent;
		}
		return undefined;
	}

	#drop(): void {
		while (this.#kept > this.max) {
			const oldest = this.#sent.shift();
			if (oldest === undefined) return;
			const messages = 1 + oldest.replies.length;
			this.#kept -= messages;
			this.#dropped += messages;
			oldest.isKept = false;
		}
	}
}

const entryOf = (sent: OutgoingMessage): OutboxEntry =>
	Object.freeze({
		message: sent.message,
		status: sent.replies.length > 0 ? "replied" : sent.isDead ? "dead" : "sent",
		replies: Object.freeze([...sent.replies]),
	});
