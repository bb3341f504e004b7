import type { Outbox } from "./outbox.js";

/** Who sends. */
export interface Sender {
	readonly name: string;
	readonly outbox: Outbox;
	/** No answer reaches it any more. */
	readonly hasLeft: boolean;
}

/** What is to be sent. Nothing of it changes: what is checked is what is sent. */
export interface Letter {
	readonly to: string;
	readonly content: unknown;
	/** The key of the message that it answers. */
	readonly inReplyTo?: string | undefined;
	/** Ends the waiting for room. */
	readonly signal?: AbortSignal | undefined;
	/** Called with what its content is refused with. */
	readonly onRefused?: (error: unknown) => void;
}
