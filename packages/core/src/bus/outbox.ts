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
	/** A list through the messages themselves: each is put in and, mostly, taken out again. */
	#oldest: OutgoingMessage | undefined;
	#newest: OutgoingMessage | undefined;
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
		return Object.freeze(Array.from(this.#all(), entryOf));
	}

	add(sent: OutgoingMessage): void {
		sent.isKept = true;
		if (this.#newest === undefined) this.#oldest = sent;
		else this.#newest.newer = sent;
		this.#newest = sent;
		this.#kept += 1 + sent.replies.length;
		if (this.#kept > this.max) this.#drop();
	}

	/** A message that is kept was answered once more. */
	noteReply(): void {
		this.#kept += 1;
		if (this.#kept > this.max) this.#drop();
	}

	/** A message that is kept. */
	find(id: string): OutgoingMessage | undefined {
		for (const sent of this.#all()) if (sent.message.id === id) return sent;
		return undefined;
	}

	*#all(): Iterable<OutgoingMessage> {
		for (let sent = this.#oldest; sent !== undefined; sent = sent.newer) yield sent;
	}

	#drop(): void {
		while (this.#kept > this.max) {
			const oldest = this.#oldest;
			if (oldest === undefined) return;
			this.#oldest = oldest.newer;
			if (oldest.newer === undefined) this.#newest = undefined;
			// one that is held, or not collected yet, must not hold all that were sent behind it
			oldest.newer = undefined;
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
