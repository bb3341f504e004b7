import type { Json } from "../json/json-values.js";

/** A message as JSON: what crosses threads, machines and logs. */
export interface MessageRecord {
	/** Unique among the messages of a transport. */
	readonly id: string;
	/** The sender's name. */
	readonly from: string;
	/** The name of whom it is for, which is that of the channel. */
	readonly to: string;
	readonly content: Json;
	/** The key of the message that this one answers. */
	readonly inReplyTo?: string;
	/** Milliseconds since 1970, by the sender's clock. */
	readonly sentAt: number;
}

/** What one robot says to another. Immutable. */
export class RobotMessage implements MessageRecord {
	readonly id: string;
	readonly from: string;
	readonly to: string;
	readonly content: Json;
	declare readonly inReplyTo?: string;
	readonly sentAt: number;

	/** @param record Its content is frozen plain data that nobody changes. */
	constructor(record: MessageRecord) {
		this.id = record.id;
		this.from = record.from;
		this.to = record.to;
		this.content = record.content;
		if (record.inReplyTo !== undefined) (this as { inReplyTo?: string }).inReplyTo = record.inReplyTo;
		this.sentAt = record.sentAt;
		Object.freeze(this);
	}

	/** What an answer names: `"from:id"`. Unique, whoever else has the sender's name. */
	get key(): string {
		return messageKey(this);
	}

	get isReply(): boolean {
		return this.inReplyTo !== undefined;
	}
}

export const messageKey = ({ from, id }: MessageRecord): string => `${from}:${id}`;
