import type { OutgoingMessage } from "./outgoing-message.js";
import type { RobotMessage } from "./robot-message.js";

/** What became of a message that was sent. Answers that were sent are not among them. */
export interface OutboxEntry {
	readonly message: RobotMessage;
	/** `"handled"`: a recipient has handled it, and nobody has answered. `"replied"`: there are answers. `"dead"`: no recipient has handled it. */
	readonly status: "sent" | "handled" | "replied" | "dead";
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
			sent.place = DROPPED;
			sent.keepReplies(1);
			return;
		}
		sent.place = this.#added;
		this.#ring[this.#added % this.#max] = sent;
		this.#added += 1;
		this.#replies += replies;
	}

	/** A message was answered once more. One that is dropped keeps the first answer, for who asks for that. */
	noteReply(sent: OutgoingMessage): void {
		if (sent.place === NOWHERE) {
			this.#dropped += sent.keepReplies(Math.max(1, this.#max));
			return;
		}
		if (sent.place < this.#out || this.#ring[sent.place % this.#max] !== sent) {
			this.#dropped += sent.keepReplies(1);
			return;
		}
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
			const oldest = this.#replies === 0 ? undefined : this.#ring[this.#out % this.#max];
			const replies = oldest?.replies.length ?? 0;
			if (replies > 1) oldest?.keepReplies(1);
			this.#out += 1;
			this.#replies -= replies;
			this.#dropped += 1 + replies;
			left -= 1 + replies;
		}
	}
}

/** Of a message that is in no outbox yet, or in none at all. */
const NOWHERE = -1;

/** Of one that had too many answers before it came into it. */
const DROPPED = -2;

function statusOf(sent: OutgoingMessage): OutboxEntry["status"] {
	if (sent.replies.length > 0) return "replied";
	if (sent.isDead) return "dead";
	return sent.isHandled ? "handled" : "sent";
}

const entryOf = (sent: OutgoingMessage): OutboxEntry =>
	Object.freeze({
		message: sent.message,
		status: statusOf(sent),
		replies: Object.freeze([...sent.replies]),
	});
