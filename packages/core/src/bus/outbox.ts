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
	/** A message that is dropped is written over, mostly without a look at it: what is so old costs more to look at than all else here. */
	#ring: OutgoingMessage[] = [];
	#max = 0;
	/** How many were put into the ring, and how many of the first of these are out. */
	#added = 0;
	#out = 0;
	/** Answers to those that are kept. */
	#replies = 0;
	#dropped = 0;

	/** @param max The most that are kept, answers included. */
	limit(max: number): void {
		if (max === this.#max) return;
		const kept = this.#kept;
		this.#ring = [];
		this.#max = max;
		this.#added = 0;
		this.#out = 0;
		this.#replies = 0;
		for (const sent of kept) this.add(sent);
	}

	/** How many messages and answers were dropped, as there were more. */
	get dropped(): number {
		return this.#dropped;
	}

	/** As they are now, oldest first. */
	get entries(): readonly OutboxEntry[] {
		return Object.freeze(this.#kept.map(entryOf));
	}

	add(sent: OutgoingMessage): void {
		const replies = sent.replies.length;
		this.#drop(this.#added - this.#out + this.#replies + 1 + replies - this.#max);
		if (1 + replies > this.#max) {
			this.#dropped += 1 + replies;
			return;
		}
		sent.place = this.#added;
		this.#ring[this.#added % this.#max] = sent;
		this.#added += 1;
		this.#replies += replies;
	}

	/** A message was answered once more. */
	noteReply(sent: OutgoingMessage): void {
		if (sent.place < this.#out || this.#ring[sent.place % this.#max] !== sent) return;
		this.#replies += 1;
		this.#drop(this.#added - this.#out + this.#replies - this.#max);
	}

	/** A message that is kept. Those that are answered late are mostly among the last. */
	find(id: string): OutgoingMessage | undefined {
		return this.#kept.findLast(({ record }) => record.id === id);
	}

	get #kept(): OutgoingMessage[] {
		const from = this.#added === this.#out ? 0 : this.#out % this.#max;
		const ring = [...this.#ring.slice(from), ...this.#ring.slice(0, from)];
		return ring.slice(0, this.#added - this.#out);
	}

	/** @param tooMany Messages and answers. */
	#drop(tooMany: number): void {
		let left = tooMany;
		while (left > 0 && this.#out < this.#added) {
			const replies = this.#replies === 0 ? 0 : (this.#ring[this.#out % this.#max]?.replies.length ?? 0);
			this.#out += 1;
			this.#replies -= replies;
			this.#dropped += 1 + replies;
			left -= 1 + replies;
		}
	}
}

const entryOf = (sent: OutgoingMessage): OutboxEntry =>
	Object.freeze({
		message: sent.message,
		status: sent.replies.length > 0 ? "replied" : sent.isDead ? "dead" : "sent",
		replies: Object.freeze([...sent.replies]),
	});
