import type { Json } from "../json/json-values.js";
import type { DeliveryOutcome } from "./bus-transport.js";
import type { RobotMessage } from "./robot-message.js";

/** How long to wait for an answer. */
export interface ReplyOptions {
	/** Milliseconds, at most 2147483647; 0: now or not at all. They keep the process alive. Default: none. */
	readonly timeoutMs?: number | undefined;
	/** Ends the waiting: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * A message that every recipient's queue has taken.
 *
 * @typeParam Answer What answers to it hold.
 */
export interface SentMessage<Answer = Json> {
	readonly message: RobotMessage;
	/** What an answer names. */
	readonly key: string;
	/** How many have it. */
	readonly recipients: number;
	/** What became of it with each recipient, in no particular order, as soon as all have done with it. Never rejects. */
	settled(): Promise<readonly DeliveryOutcome[]>;
	/**
	 * The first answer, also one that has come already. Rejects with BusError: `not_delivered` as soon as no recipient has handled it, `timed_out`, `no_bus` when
	 * whoever sent it leaves the bus, where no answer reaches it, and `closed` or `connection_lost` with the bus; and with the signal's reason. Where a recipient has
	 * handled it and sends no answer, nothing says so: give it a time. An answer that comes when the message has left the outbox is heard by who waits for it by then.
	 */
	reply(options?: ReplyOptions): Promise<RobotMessage<Answer>>;
}
