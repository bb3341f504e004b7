import { BusError } from "../errors/bus-error.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import { describeValue } from "../text/describe-value.js";
import { AnyMessageBus, hubOf } from "./any-message-bus.js";
import { askBy } from "./ask-by.js";
import type { MessageBusOptions } from "./bus-options.js";
import type { ChannelSchemas, ContentOf } from "./channel-content.js";
import {
	type HandlerOptions,
	type Handling,
	type MessageHandler,
	messageHandling,
	type TaskHandlerOptions,
	taskHandling,
} from "./handling.js";
import type { Letter } from "./letter.js";
import type { Mailbox } from "./mailbox.js";
import { messageLetter, type NewMessage, type NewQuestion, type NewReply, questionLetter, replyLetter } from "./new-message.js";
import { Outbox, type OutboxEntry } from "./outbox.js";
import type { OutgoingMail } from "./outgoing-mail.js";
import type { RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";

/**
 * Moves messages between robots, and whoever else joins it, by their names. Every member handles one message at a time, in order. What it does not handle
 * is tried again or becomes a dead letter, never lost in silence.
 *
 * @typeParam Channels The schemas of channels, as given.
 */
export class MessageBus<Channels extends ChannelSchemas = Record<never, never>> extends AnyMessageBus {
	/** Throws ConfigurationError for options that are none, and what a transport fails with as it connects. */
	constructor(options: MessageBusOptions<Channels> = {}) {
		super(options);
	}

	/** Joins for who is no robot. Throws ConfigurationError for a name that is none, and BusError where the bus is closed. */
	join<Name extends string>(name: Name): BusMember<Channels, Name> {
		return new BusMember(name, this);
	}
}

/**
 * Who sends and handles messages, under a name. Several may have the same: each gets every message.
 *
 * @typeParam Channels The schemas of the bus.
 * @typeParam Name Its name, where the compiler knows it.
 */
export class BusMember<Channels extends ChannelSchemas = Record<never, never>, Name extends string = string> {
	readonly name: Name;
	#bus: MessageBus<ChannelSchemas> | undefined;
	#seat: { readonly mailbox: Mailbox; readonly mail: OutgoingMail } | undefined;
	#handling: Handling | undefined;
	#outbox: Outbox | undefined;

	/** Throws ConfigurationError for a name that is none, and BusError where the bus is closed. */
	constructor(name: Name, bus?: MessageBus<Channels> | AnyMessageBus) {
		if (typeof name !== "string" || name.trim() === "")
			throw new ConfigurationError(`A member of a bus needs a name, got ${describeValue(name)}.`);
		this.name = name;
		if (bus !== undefined) this.#join(bus);
	}

	/** The bus it is on. */
	get bus(): MessageBus<ChannelSchemas> | undefined {
		return this.#bus;
	}

	/**
	 * Joins a bus, a new one where none is given and it is on none. It leaves the one that it is on, unless that is the same; its handler moves along. Throws
	 * ConfigurationError for what is no bus and BusError for one that is closed, and stays where it is then.
	 */
	withBus(bus?: AnyMessageBus): this {
		if (bus === undefined ? this.#bus === undefined : bus !== this.#bus) this.#join(bus ?? new MessageBus());
		return this;
	}

	/** Leaves the bus: what waits here is dead (`left`), the message at hand may come to its end. Harmless where it is on none. */
	leaveBus(): void {
		const seat = this.#seat;
		this.#seat = undefined;
		this.#bus = undefined;
		seat?.mailbox.leave();
		seat?.mail.sent.left(seat.mailbox);
	}

	/**
	 * Sends a message. Resolves when the queue of every recipient has taken it: where one has no room, later. Rejects with BusError `no_bus`,
	 * `unknown_recipient`, `invalid_content`, `closed` or `connection_lost`, with ConfigurationError for what cannot be sent, and with the signal's reason.
	 */
	sendMessage<To extends string>(message: NewMessage<Channels, To>): Promise<SentMessage<ContentOf<Channels, Name>>> {
		return this.#send(message, messageLetter) as Promise<SentMessage<ContentOf<Channels, Name>>>;
	}

	/** Answers a message. As {@link sendMessage}; whoever sent that one finds the answer in its outbox, and needs no room for that. */
	sendReply<To extends string>(reply: NewReply<Channels, To>): Promise<SentMessage<ContentOf<Channels, Name>>> {
		return this.#send(reply, replyLetter) as Promise<SentMessage<ContentOf<Channels, Name>>>;
	}

	/**
	 * Sends a message and waits for the first answer to it. Rejects as {@link sendMessage} and `reply()` of what it comes to do: with BusError `timed_out` when the
	 * answer is not there in time, `not_delivered` as soon as no recipient has handled it.
	 */
	async ask<To extends string>(question: NewQuestion<Channels, To>): Promise<RobotMessage<ContentOf<Channels, Name>>> {
		const letter = questionLetter(question);
		const answer = await askBy(async (message) => this.#post(message), letter);
		return answer as RobotMessage<ContentOf<Channels, Name>>;
	}

	/**
	 * Handles what is sent to it, replies included, from now on: also what waits, and on whatever bus it is. Throws ConfigurationError where it has a handler, and for
	 * options that are none.
	 */
	onMessage(handler: MessageHandler<ContentOf<Channels, Name>>, options: HandlerOptions = {}): Subscription {
		return this.#handle(messageHandling(handler, options));
	}

	/** The same for tasks: replies are not handled, and what the handler answers is sent to whoever asked. */
	respondToTasks(handler: MessageHandler<ContentOf<Channels, Name>>, options: TaskHandlerOptions = {}): Subscription {
		return this.#handle(taskHandling(handler, options));
	}

	/** What it sent, as it is now, oldest first. It is kept when it leaves the bus. */
	get outbox(): readonly OutboxEntry[] {
		return this.#outbox?.entries ?? NONE;
	}

	/** How many messages and answers are in the outbox no longer, as there were more than `maxOutbox`. */
	get outboxDropped(): number {
		return this.#outbox?.dropped ?? 0;
	}

	#join(bus: AnyMessageBus): void {
		const hub = hubOf(bus);
		if (hub === undefined)
			throw new ConfigurationError(`${describeValue(this.name)} can only join a MessageBus, got ${describeValue(bus)}.`);
		this.#outbox ??= new Outbox();
		const mailbox = hub.join(this.name, this.#outbox);
		mailbox.handling = this.#handling;
		this.leaveBus();
		this.#bus = bus as MessageBus<ChannelSchemas>;
		this.#seat = { mailbox, mail: hub.mail };
	}

	#send<Given extends object>(given: Given, read: (given: Given) => Letter): Promise<SentMessage<Json>> {
		try {
			return this.#post(read(given));
		} catch (error) {
			return Promise.reject(error);
		}
	}

	#post(letter: Letter): Promise<SentMessage<Json>> {
		const seat = this.#seat;
		if (seat === undefined) throw noBus(this.name);
		return seat.mail.send(seat.mailbox, letter);
	}

	#handle(handling: Handling): Subscription {
		if (this.#handling !== undefined) {
			throw new ConfigurationError(
				`${describeValue(this.name)} has a handler for messages already. Take that away first: unsubscribe() of what onMessage() or respondToTasks() returned.`,
			);
		}
		this.#setHandling(handling);
		return subscription(() => {
			if (this.#handling === handling) this.#setHandling(undefined);
		});
	}

	#setHandling(handling: Handling | undefined): void {
		this.#handling = handling;
		if (this.#seat !== undefined) this.#seat.mailbox.handling = handling;
	}
}

const NONE: readonly OutboxEntry[] = Object.freeze([]);

const noBus = (name: string): BusError =>
	new BusError("no_bus", `${describeValue(name)} cannot send: it is on no bus. Join one first: withBus(bus), or withBus() for a new one.`);
