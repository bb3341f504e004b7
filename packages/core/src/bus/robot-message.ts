import type { Json, JsonValues } from "../json/json-values.js";

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
}

/**
 * What one robot says to another. Its content is frozen, and whoever is given it has one of its own: nobody can change what others read.
 *
 * @typeParam Content What the channel's schema makes of a content. Default: anything that JSON can say.
 */
export class RobotMessage<Content = Json> {
	readonly id: string;
	readonly from: string;
	readonly to: string;
	readonly content: Content;
	declare readonly inReplyTo?: string;

	/** @param record Its content is frozen plain data that nobody changes. */
	constructor(
		record: Omit<MessageRecord, "content" | "inReplyTo"> & { readonly content: Content; readonly inReplyTo?: string | undefined },
	) {
		this.id = record.id;
		this.from = record.from;
		this.to = record.to;
		this.content = record.content;
		if (record.inReplyTo !== undefined) (this as { inReplyTo?: string }).inReplyTo = record.inReplyTo;
	}

	/** What an answer names: `"from:id"`. Unique, whoever else has the sender's name. */
	get key(): string {
		return messageKey(this);
	}

	get isReply(): boolean {
		return this.inReplyTo !== undefined;
	}
}

export const messageKey = ({ from, id }: Pick<MessageRecord, "from" | "id">): string => `${from}:${id}`;

/** A message of one's own. The content of what is of this process is unchangeable already. */
export function messageFrom(record: MessageRecord, json: JsonValues): RobotMessage {
	if (record instanceof RobotMessage) return new RobotMessage(record);
	return new RobotMessage({ ...record, content: json.accept(record.content, "A message that came over the transport") });
}
