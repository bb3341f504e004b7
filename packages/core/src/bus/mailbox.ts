import type { Attempt } from "./attempt.js";
import type { ChannelCounters } from "./bus-statistics.js";
import type { ChannelQueue, ChannelSubscription, DeadLetterReason, DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import { Desk } from "./desk.js";
import type { Handling } from "./handling.js";
import type { Sender } from "./letter.js";
import type { MailboxPorts } from "./mailbox-ports.js";
import type { Outbox } from "./outbox.js";
import { WaitingMessages } from "./waiting-messages.js";

/** The messages for one member: one at a time, in order, until each is settled. */
export class Mailbox implements Sender {
	readonly name: string;
	readonly outbox: Outbox;
	handling: Handling | undefined;
	readonly #ports: MailboxPorts<Mailbox>;
	readonly #counters: ChannelCounters;
	readonly #waiting: WaitingMessages;
	readonly #desk: Desk;
	#subscription: ChannelSubscription | undefined;
	/** It has something to do, or waits for an end of it. */
	#isAwake = false;
	#end: Extract<DeadLetterReason, "left" | "closed" | "lost"> | undefined;

	constructor(name: string, outbox: Outbox, counters: ChannelCounters, ports: MailboxPorts<Mailbox>) {
		this.name = name;
		this.outbox = outbox;
		this.#counters = counters;
		this.#ports = ports;
		this.#waiting = new WaitingMessages(counters);
		const { options, turn, log } = ports;
		this.#desk = new Desk({
			...{ name, options, turn, log, counters },
			reply: (attempt, content, onRefused) => ports.reply(this, attempt, content, onRefused),
			answer: (attempt, content) => ports.answer(this, attempt, content),
			tryAgain: (attempt, failure) => this.#tryAgain(attempt, failure),
			goOn: this.work,
			wake: () => ports.wake(this),
			mayGoOn: () => this.#isAwake,
		});
	}

	get hasLeft(): boolean {
		return this.#end === "left";
	}

	subscribe(subscribe: (queue: ChannelQueue) => ChannelSubscription): ChannelSubscription {
		this.#subscription = subscribe({ capacity: this.#ports.options.maxPending, receive: this.#receive });
		return this.#subscription;
	}

	/** Hands messages to the handler, until one takes longer or none is left. Never throws. */
	readonly work = (): void => {
		const { turn } = this.#ports;
		for (;;) {
			if (turn.isLong) {
				turn.atEnd(this.work);
				return;
			}
			turn.step();
			const transport = this.#waiting.take();
			if (transport === undefined) break;
			if (!this.#next(transport)) return;
		}
		this.#sleep();
	};

	/** Takes nothing more: what waits is dead, the message at hand may come to its end. */
	leave(): void {
		if (this.#end !== undefined) return;
		this.#end = "left";
		this.#subscription?.unsubscribe();
		this.#bury("left");
		if (!this.#isAwake) this.#ports.gone(this);
	}

	/** The same, and the message at hand is dead as well. */
	close(reason: "closed" | "lost", error: unknown): void {
		this.#end = reason;
		this.#bury(reason);
		const wasBusy = this.#desk.close(reason, error, () => this.#sleep());
		if (!wasBusy && !this.#isAwake) this.#ports.gone(this);
	}

	/** Whether a handler is waited for: its time is not up, and the bus goes on. */
	waitsFor(attempt: Attempt): boolean {
		return attempt === this.#desk.current;
	}

	readonly #receive = (delivery: TransportDelivery): void => {
		this.#counters.delivered += 1;
		if (this.#end !== undefined) {
			// it had waited for the room of what was settled as this ended
			delivery.nack({ reason: this.#end, attempts: 0 });
			return;
		}
		this.#waiting.add(delivery);
		if (this.#isAwake) return;
		// what needs most of the stack first: where that fails, the next message wakes it
		this.#ports.wake(this);
		this.#ports.work.begin();
		this.#isAwake = true;
	};

	/** Whether the one behind it can be handled at once. Never throws. */
	#next(transport: TransportDelivery): boolean {
		const { handling } = this;
		const { tried } = this.#waiting;
		try {
			if (handling !== undefined && !(handling.ignoresReplies && transport.message.inReplyTo !== undefined))
				return this.#desk.handle(transport, handling, tried);
			this.#pass(transport, tried);
			return true;
		} catch (error) {
			return this.#desk.rescue(transport, error, tried);
		}
	}

	/** Settles what needs no handler: replies have been heard of, and nobody handles the rest. */
	#pass(transport: TransportDelivery, tried: number): void {
		if (transport.message.inReplyTo === undefined) {
			transport.nack({ reason: "no_handler", attempts: tried });
			return;
		}
		this.#counters.acked += 1;
		transport.ack();
	}

	#tryAgain({ transport, handling }: Attempt, failure: DeliveryFailure): boolean {
		if (this.#end !== undefined) {
			transport.nack(failure);
			return true;
		}
		const delayMs = handling.retryDelayMs ?? this.#ports.options.retryDelayMs;
		this.#waiting.tryAgain(transport, failure, delayMs, this.work);
		return delayMs === 0;
	}

	#sleep(): void {
		this.#isAwake = false;
		this.#ports.work.end();
		if (this.#end === undefined) return;
		this.#desk.clear();
		this.#ports.gone(this);
	}

	/** What waits here is dead. */
	#bury(reason: DeadLetterReason): void {
		// to find out that nothing is left
		if (this.#waiting.bury(reason)) this.#ports.wake(this);
	}
}
