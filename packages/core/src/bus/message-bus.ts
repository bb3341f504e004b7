import { BusError } from "../errors/bus-error.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import { checkNames, isSignal } from "../options/check-options.js";
import type { OpenRun } from "../stream/open-run.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import { describeValue } from "../text/describe-value.js";
import { BusHub } from "./bus-hub.js";
import { busOptions, type MessageBusOptions } from "./bus-options.js";
import type { ChannelStatistics } from "./bus-statistics.js";
import type { ChannelSchemas, ContentOf, ContentTo } from "./channel-content.js";
import type { DeadLetters } from "./dead-letters.js";
import {
	type HandlerOptions,
	type Handling,
	type MessageHandler,
	messageHandling,
	type TaskHandlerOptions,
	taskHandling,
} from "./handling.js";
import type { Mailbox } from "./mailbox.js";
import { Outbox, type OutboxEntry } from "./outbox.js";
import type { Letter, OutgoingMail } from "./outgoing-mail.js";
import type { SentMessage } from "./sent-message.js";

/** The hub of a bus, for its members. */
let hubOf: (bus: MessageBus<ChannelSchemas>) => BusHub;

/**
 * Moves messages between robots, and whoever else joins it, by their names. Every member handles one message at a time, in order. What it does not handle
 * is tried again or becomes a dead letter, never lost in silence.
 *
 * @typeParam Channels The schemas of channels, as given.
 */
export class MessageBus<Channels extends ChannelSchemas = Record<never, never>> implements AsyncDisposable {
	readonly #hub: BusHub;

	static {
		hubOf = (bus) => bus.#hub;
	}

	/** Throws ConfigurationError for options that are none, and what a transport fails with as it connects. */
	constructor(options: MessageBusOptions<Channels> = {}) {
		this.#hub = new BusHub(busOptions(options));
	}

	/** What was sent from here and came to nothing. */
	get deadLetters(): DeadLetters {
		return this.#hub.deadLetters;
	}

	/** What has happened so far, by channel. */
	get stats(): Readonly<Record<string, ChannelStatistics>> {
		return this.#hub.statistics.snapshot;
	}

	/** The names of those who joined here, sorted. Others of the same transport are not among them. */
	get names(): readonly string[] {
		return this.#hub.names;
	}

	/** Its run in the log, for what is to run beneath it. `undefined` where it has neither `log` nor `parent`. */
	get run(): OpenRun | undefined {
		return this.#hub.log?.run;
	}

	/** Whether nothing comes or goes any more: it was closed, or the connection was lost. */
	get isClosed(): boolean {
		return this.#hub.end !== undefined;
	}

	/** Joins for who is no robot. Throws ConfigurationError for a name that is none, and BusError where the bus is closed. */
	join<Name extends string>(name: Name): BusMember<Channels, Name> {
		return new BusMember(name, this);
	}

	/**
	 * Resolves when nothing that was sent from here is on its way, and nothing that came here waits or is being handled: messages that wait for room, and those
	 * that are to be tried again after a while, included. Handlers whose time was up do not count.
	 */
	idle(): Promise<void> {
		return this.#hub.work.idle();
	}

	/**
	 * Ends it: what waits and what is being handled is dead, the signals of deliveries are aborted. Handlers are not waited for. Later sends are refused. Harmless
	 * when done twice. For a clean end: `await bus.idle()` before.
	 */
	close(): Promise<void> {
		return this.#hub.close();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}
}

/** A bus, whatever its channels take. */
export type AnyMessageBus = Omit<MessageBus, "join">;

/** What is to be sent. */
export interface NewMessage<Channels extends ChannelSchemas, To extends string> {
	/** The name of whom it is for. All who have it get it. */
	readonly to: To;
	/** Plain data, or what the schema of the channel takes. A copy is sent. */
	readonly content: ContentTo<Channels, To>;
	/** Ends the waiting for room: it is then in no queue in which it was not yet. */
	readonly signal?: AbortSignal | undefined;
}

/** What is to be sent as an answer. */
export interface NewReply<Channels extends ChannelSchemas, To extends string> extends NewMessage<Channels, To> {
	/** The `key` of the message that it answers. */
	readonly inReplyTo: string;
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
	constructor(name: Name, bus?: MessageBus<Channels>) {
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
	withBus<Others extends ChannelSchemas>(bus?: MessageBus<Others>): this {
		if (bus === undefined ? this.#bus === undefined : !this.#isOn(bus)) this.#join(bus ?? new MessageBus());
		return this;
	}

	/** Leaves the bus: what waits here is dead (`left`), the message at hand may come to its end. Harmless where it is on none. */
	leaveBus(): void {
		const seat = this.#seat;
		this.#seat = undefined;
		this.#bus = undefined;
		seat?.mailbox.leave();
	}

	/**
	 * Sends a message. Resolves when the queue of every recipient has taken it: where one has no room, later. Rejects with BusError `no_bus`,
	 * `unknown_recipient`, `invalid_content`, `closed` or `connection_lost`, with ConfigurationError for what cannot be sent, and with the signal's reason.
	 */
	sendMessage<To extends string>(message: NewMessage<Channels, To>): Promise<SentMessage<ContentOf<Channels, Name>>> {
		return this.#send("sendMessage()", message, MESSAGE) as Promise<SentMessage<ContentOf<Channels, Name>>>;
	}

	/** Answers a message. As {@link sendMessage}; whoever sent that one finds the answer in its outbox, and needs no room for that. */
	sendReply<To extends string>(reply: NewReply<Channels, To>): Promise<SentMessage<ContentOf<Channels, Name>>> {
		return this.#send("sendReply()", reply, REPLY) as Promise<SentMessage<ContentOf<Channels, Name>>>;
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

	#isOn(bus: object): boolean {
		return bus === this.#bus;
	}

	#join(given: object): void {
		const bus = given as MessageBus<ChannelSchemas>;
		if (!(bus instanceof MessageBus))
			throw new ConfigurationError(`${describeValue(this.name)} can only join a MessageBus, got ${describeValue(bus)}.`);
		this.#outbox ??= new Outbox();
		const { mail } = hubOf(bus);
		const mailbox = hubOf(bus).join(this.name, this.#outbox);
		mailbox.handling = this.#handling;
		this.leaveBus();
		this.#bus = bus;
		this.#seat = { mailbox, mail };
	}

	#send(what: string, letter: Letter, names: ReadonlySet<string>): Promise<SentMessage<Json>> {
		try {
			checkLetter(what, letter, names);
			const seat = this.#seat;
			if (seat === undefined) throw this.#noBus(what);
			return seat.mail.send(seat.mailbox, letter);
		} catch (error) {
			return Promise.reject(error);
		}
	}

	#noBus(what: string): BusError {
		const name = describeValue(this.name);
		return new BusError(
			"no_bus",
			`${name} cannot send by ${what}: it is on no bus. Join one first: withBus(bus), or withBus() for a new one.`,
		);
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
const MESSAGE: ReadonlySet<string> = new Set(["to", "content", "signal"]);
const REPLY: ReadonlySet<string> = new Set([...MESSAGE, "inReplyTo"]);

function checkLetter(what: string, letter: Letter, names: ReadonlySet<string>): void {
	if (typeof letter !== "object" || letter === null) checkNames(what, letter, [...names]);
	for (const name in letter) if (!names.has(name)) checkNames(what, letter, [...names]);
	const { to, inReplyTo, signal } = letter;
	if (typeof to !== "string" || to === "")
		throw new ConfigurationError(`${what} needs the name of whom it is for as to, got ${describeValue(to)}.`);
	if (names === REPLY && (typeof inReplyTo !== "string" || inReplyTo === ""))
		throw new ConfigurationError(`${what} needs the key of the message that it answers as inReplyTo, got ${describeValue(inReplyTo)}.`);
	if (signal !== undefined && !isSignal(signal))
		throw new ConfigurationError(`${what} needs an AbortSignal as signal, got ${describeValue(signal)}.`);
}
