import type { FailureFacts } from "../stream/stream-event.js";
import type { MessageRecord } from "./robot-message.js";

/**
 * Moves messages to those who subscribed to their channel, in this process or elsewhere. Everything that crosses it can be written as JSON but for
 * signals and functions, which stay on their side. `describeBusTransport` of `@robot-lab/core/testing` is its test.
 */
export interface BusTransport {
	readonly specificationVersion: "v1";
	/** What it is, for errors and people. */
	readonly name: string;
	/** Joins. Every bus has a connection of its own; those of one transport reach each other. */
	connect(listener: BusListener): BusConnection;
}

/** What a connection is told. Nothing here may throw. */
export interface BusListener {
	/**
	 * One subscriber has done with a message that this connection published. Called once for each that `publish` counts, perhaps before `publish` has answered.
	 */
	onSettled(messageId: string, outcome: DeliveryOutcome): void;
	/** A message that this connection publishes has to wait for room with somebody. Told once at most, before `publish` has answered. */
	onWaiting(messageId: string): void;
	/**
	 * A reply is being published, by whomever. Told to every connection, to each before the reply is delivered there, whether or not its recipient has room: who
	 * waits for an answer while it handles a message must not wait for itself. Not told where nobody has subscribed to the reply's channel.
	 */
	onReply(message: MessageRecord): void;
	/** The connection is gone, and not because it was closed from this side. Nothing is told after it. */
	onLost(reason: string): void;
}

/** One side of a transport. */
export interface BusConnection {
	/** An id that no other message of the transport has. */
	nextId(): string;
	/**
	 * Puts a message into the queue of each who has subscribed to its channel by now, in the order of the calls. Answers when each queue has taken it, at
	 * once where all have room, with how many these are: 0 where there are none, and then nothing is kept. Rejects with the signal's reason
	 * when it is aborted before: the message is then in no queue in which it was not yet. Rejects with BusError when the connection ends.
	 */
	publish(message: MessageRecord, signal?: AbortSignal): number | Promise<number>;
	/** Takes messages of a channel from now on. Several may have the same: each gets every message. */
	subscribe(channel: string, queue: ChannelQueue): ChannelSubscription;
	/** The channels that somebody has subscribed to, sorted as `Array.prototype.sort` does. Rejects with BusError when the connection has ended. */
	channels(): readonly string[] | Promise<readonly string[]>;
	/**
	 * Resolves when somebody has subscribed to a channel, who may have left again by then. `undefined`: somebody has already. Rejects with the signal's reason when it
	 * is aborted before, and with BusError when the connection ends.
	 */
	untilSubscribed(channel: string, signal?: AbortSignal): Promise<void> | undefined;
	/**
	 * Leaves: what was delivered here and is not settled is dead (`closed`), and so is what waits for room here. Its own publishes that wait are rejected. It hears
	 * what becomes of its own messages by this, and then nothing more. Harmless when done twice.
	 */
	close(): void | Promise<void>;
}

/** Who takes the messages of a channel. */
export interface ChannelQueue {
	/** The most that are delivered and not settled at one time, 1 or more. Who publishes more waits. */
	readonly capacity: number;
	/**
	 * Is handed each message, in the order in which they were published: while it is published or when there is room, perhaps before `publish` has answered.
	 * Never while another receives. Must not throw.
	 */
	readonly receive: (delivery: TransportDelivery) => void;
}

export interface ChannelSubscription {
	/** When messages arrive. `undefined`: they do already. Rejects with BusError where the connection ended before. */
	readonly ready: Promise<void> | undefined;
	/** Takes nothing more. What was delivered is still to be settled; what waits for room here is dead (`left`). Harmless when done twice. */
	unsubscribe(): void;
}

/** A message in the hands of one subscriber, to be settled once: only the first ack or nack counts. */
export interface TransportDelivery {
	readonly message: MessageRecord;
	ack(): void;
	nack(failure: DeliveryFailure): void;
}

/** How one subscriber has done with a message. */
export type DeliveryOutcome = { readonly state: "acked" } | ({ readonly state: "dead" } & DeliveryFailure);

/**
 * Why a message was not handled:
 *
 * - `failed`: the handler failed, as often as it may be tried.
 * - `nacked`: the handler refused it.
 * - `timed_out`: the handler did not settle it in time.
 * - `no_handler`: the recipient is on the bus and handles nothing.
 * - `left`: the recipient left the bus before it came to it.
 * - `closed`: the bus was closed before.
 * - `lost`: the connection to the recipient was lost before it was settled. It may have been handled.
 */
export type DeadLetterReason = "failed" | "nacked" | "timed_out" | "no_handler" | "left" | "closed" | "lost";

/** A delivery that came to nothing. */
export interface DeliveryFailure {
	readonly reason: DeadLetterReason;
	/** How often a handler was given it. 0 where the transport itself gave it up: it does not know. */
	readonly attempts: number;
	/** What the handler failed with, or said when it refused. */
	readonly error?: FailureFacts;
}
