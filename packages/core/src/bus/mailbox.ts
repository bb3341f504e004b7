import { failureFacts } from "../stream/failure-facts.js";
import { Attempt, type AttemptOwner } from "./attempt.js";
import { attemptEnding } from "./bus-log.js";
import type { ChannelCounters } from "./bus-statistics.js";
import type { ChannelQueue, ChannelSubscription, DeadLetterReason, DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import { Deadline } from "./deadline.js";
import { HandlerWarnings } from "./handler-warnings.js";
import type { Handling } from "./handling.js";
import { Lane, type LaneOwner } from "./lane.js";
import type { Sender } from "./letter.js";
import type { MailboxPorts } from "./mailbox-ports.js";
import type { Outbox } from "./outbox.js";
import { messageFrom, type RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";
import { WaitingMessages } from "./waiting-messages.js";

/** The messages for one member: one at a time, in order, until each is settled. */
export class Mailbox implements AttemptOwner, LaneOwner, Sender {
	readonly name: string;
	readonly outbox: Outbox;
	handling: Handling | undefined;
	readonly #ports: MailboxPorts<Mailbox>;
	readonly #counters: ChannelCounters;
	readonly #waiting: WaitingMessages;
	readonly #deadline: Deadline = new Deadline(() => this.#timeIsUp());
	readonly #warnings: HandlerWarnings;
	#subscription: ChannelSubscription | undefined;
	/** What is being handled. */
	#current: Attempt | undefined;
	#lane: Lane = new Lane(this);
	/** Its handler has come to its end, and it is to be settled by hand. */
	#waitsForHand = false;
	/** It has something to do, or waits for an end of it. */
	#isAwake = false;
	#isWatched = false;
	#end: Extract<DeadLetterReason, "left" | "closed" | "lost"> | undefined;

	constructor(name: string, outbox: Outbox, counters: ChannelCounters, ports: MailboxPorts<Mailbox>) {
		this.name = name;
		this.outbox = outbox;
		this.#counters = counters;
		this.#waiting = new WaitingMessages(counters);
		this.#warnings = new HandlerWarnings(name);
		this.#ports = ports;
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
		const attempt = this.#current;
		if (attempt === undefined) {
			if (!this.#isAwake) this.#ports.gone(this);
			return;
		}
		this.#leaveBehind(attempt, error);
		attempt.runPublisher?.end({ event: "run.interrupted", reason: "other" });
		this.#sleep();
		// nothing where it was settled before
		attempt.transport.nack({ ...attempt.retry, reason, attempts: attempt.attempt });
	}

	// What attempts tell of themselves

	settled(attempt: Attempt, failure: DeliveryFailure | undefined): void {
		const goesOn = this.#waitsForHand;
		this.#waitsForHand = false;
		try {
			if (failure !== undefined) {
				this.#counters.nacked += 1;
				this.#refuse(attempt, failure);
			} else {
				this.#counters.acked += 1;
				this.#ack(attempt);
			}
		} finally {
			// also where the transport fails, which whoever settles by hand is told
			if (goesOn && this.#finish(attempt)) this.#ports.wake(this);
		}
	}

	extended(attempt: Attempt): void {
		if (attempt === this.#current) this.#deadline.set(attempt.deadline as number);
	}

	reply(attempt: Attempt, content: unknown): Promise<SentMessage> {
		return this.#ports.reply(this, attempt, content, (error) => {
			attempt.refusedAnswer = { error };
		});
	}

	// What lanes tell. Never throws, also where a handler was left behind meanwhile: what it fails with is told

	ended(attempt: Attempt, answer: unknown): void {
		let goesOn: boolean;
		try {
			goesOn = this.#concluded(attempt, answer);
		} catch (error) {
			goesOn = this.#rescue(attempt.transport, error);
		}
		if (goesOn) this.work();
	}

	failed(attempt: Attempt, error: unknown): void {
		let goesOn: boolean;
		try {
			goesOn = this.#failed(attempt, error);
		} catch (failure) {
			goesOn = this.#rescue(attempt.transport, failure);
		}
		if (goesOn) this.work();
	}

	/** Whether a handler is waited for: its time is not up, and the bus goes on. */
	waitsFor(attempt: Attempt): boolean {
		return attempt === this.#current;
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
		try {
			if (handling !== undefined && !(handling.ignoresReplies && transport.message.inReplyTo !== undefined))
				return this.#handle(transport, handling);
			this.#pass(transport);
			return true;
		} catch (error) {
			return this.#rescue(transport, error);
		}
	}

	/** Settles what needs no handler: replies have been heard of, and nobody handles the rest. */
	#pass(transport: TransportDelivery): void {
		if (transport.message.inReplyTo === undefined) {
			transport.nack({ reason: "no_handler", attempts: this.#waiting.tried });
			return;
		}
		this.#counters.acked += 1;
		transport.ack();
	}

	#handle(transport: TransportDelivery, handling: Handling): boolean {
		const attempt = this.#begin(transport, handling);
		if (attempt !== this.#current) return false; // who reads the log has closed the bus
		let answer: unknown;
		try {
			answer = handling.handler(attempt.message as RobotMessage<never>, attempt as Attempt & { readonly message: RobotMessage<never> });
		} catch (error) {
			return this.#failed(attempt, error);
		}
		// a function may be a thenable, too
		if (answer === null || (typeof answer !== "object" && typeof answer !== "function")) return this.#concluded(attempt, answer);
		this.#lane.follow(attempt, answer);
		return false;
	}

	#begin(transport: TransportDelivery, handling: Handling): Attempt {
		const { tried } = this.#waiting;
		const message = messageFrom(transport.message, this.#ports.options.contents.json);
		const attempt = new Attempt(this, message, transport, handling, tried + 1);
		this.#current = attempt;
		this.#counters.handling += 1;
		if (tried > 0) this.#counters.redelivered += 1;
		if (this.#ports.log !== undefined) {
			attempt.runPublisher = this.#ports.log.attempt(attempt);
			if (attempt !== this.#current) attempt.runPublisher?.end({ event: "run.interrupted", reason: "other" });
		}
		if (this.#isWatched) return attempt;
		this.#isWatched = true;
		this.#ports.turn.atEnd(this.#setDeadline);
		return attempt;
	}

	#failed(attempt: Attempt, error: unknown): boolean {
		this.#fail(attempt, error);
		return attempt === this.#current && this.#finish(attempt);
	}

	/** A handler has come to its end. Whether the next message can be handled at once. */
	#concluded(attempt: Attempt, answer: unknown): boolean {
		if (attempt !== this.#current) return false;
		if (answer !== undefined && attempt.handling.autoReply && attempt.state !== "nacked") {
			try {
				const answering = this.#ports.answer(this, attempt, answer);
				if (answering !== undefined) {
					this.#lane.follow(
						attempt,
						answering.catch((error: unknown) => this.#noAnswer(attempt, error)),
					);
					return false;
				}
			} catch (error) {
				this.#noAnswer(attempt, error);
			}
		}
		if (attempt.state === "open" && attempt.handling.ack === "manual") {
			this.#waitsForHand = true;
			return false;
		}
		if (attempt.state === "open") attempt.ack();
		return attempt === this.#current && this.#finish(attempt);
	}

	/** The answer of a handler is none. */
	#noAnswer(attempt: Attempt, error: unknown): void {
		attempt.refusedAnswer = { error };
		this.#fail(attempt, error);
	}

	/** Whether the next message can be handled at once. */
	#finish(attempt: Attempt): boolean {
		this.#current = undefined;
		this.#counters.handling -= 1;
		this.#deadline.release();
		if (attempt.runPublisher !== undefined) attempt.runPublisher.end(attemptEnding(attempt));
		return attempt.retry === undefined || this.#tryAgain(attempt, attempt.retry);
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

	/** Where the transport fails to, whoever sent the message must not wait for ever for what becomes of it. */
	#ack({ transport, attempt }: Attempt): void {
		try {
			transport.ack();
		} catch (error) {
			transport.nack({ reason: "failed", attempts: attempt, error: failureFacts(error) });
			throw error;
		}
	}

	#fail(attempt: Attempt, error: unknown): void {
		if (attempt.state === "open") attempt.fail(error);
		else if (attempt.state !== "given_up") this.#warnings.late(error);
	}

	#refuse(attempt: Attempt, failure: DeliveryFailure): void {
		attempt.refusal = failure;
		const maxAttempts = attempt.handling.maxAttempts ?? this.#ports.options.maxAttempts;
		if (attempt.attempt < maxAttempts && !attempt.isFailedByAnswer) attempt.retry = failure;
		else attempt.transport.nack(failure);
	}

	/** Something failed that is neither the handler's nor the message's: this attempt has failed by it, and all others go on. Never throws. */
	#rescue(transport: TransportDelivery, error: unknown): boolean {
		this.#warnings.escaped(error);
		const attempt = this.#current;
		try {
			if (attempt !== undefined) return this.#failed(attempt, error);
			transport.nack({ reason: "failed", attempts: this.#waiting.tried, error: failureFacts(error) });
		} catch {
			// the transport fails, too: nobody can be told
		}
		if (this.#current !== undefined) this.#leaveBehind(this.#current, error);
		return this.#isAwake;
	}

	#sleep(): void {
		this.#isAwake = false;
		this.#ports.work.end();
		if (this.#end === undefined) return;
		this.#deadline.clear();
		this.#ports.gone(this);
	}

	/** What waits here is dead. */
	#bury(reason: DeadLetterReason): void {
		// to find out that nothing is left
		if (this.#waiting.bury(reason)) this.#ports.wake(this);
	}

	readonly #setDeadline = (): void => {
		this.#isWatched = false;
		const attempt = this.#current;
		if (attempt === undefined) return;
		attempt.deadline ??= performance.now() + (attempt.handling.ackTimeoutMs ?? this.#ports.options.ackTimeoutMs);
		this.#deadline.set(attempt.deadline);
	};

	#timeIsUp(): void {
		const attempt = this.#current;
		if (attempt?.deadline === undefined) return; // another one, which began in this turn
		if (performance.now() < attempt.deadline) {
			this.#deadline.set(attempt.deadline);
			return;
		}
		let goesOn: boolean;
		try {
			goesOn = this.#giveUp(attempt);
		} catch (error) {
			goesOn = this.#rescue(attempt.transport, error);
		}
		if (goesOn) this.work();
	}

	#giveUp(attempt: Attempt): boolean {
		const isOpen = attempt.state === "open";
		this.#leaveBehind(attempt, new DOMException("The time to handle a message is up.", "TimeoutError"));
		attempt.runPublisher?.end({ event: "run.interrupted", reason: "timeout" });
		if (isOpen) {
			this.#counters.timedOut += 1;
			this.#refuse(attempt, { reason: "timed_out", attempts: attempt.attempt });
		} else this.#warnings.late(new Error("it goes on, though its time is up, and the next message is handled beside it"));
		return attempt.retry === undefined || this.#tryAgain(attempt, attempt.retry);
	}

	/** Nobody waits for its handler any longer: the next messages are handled beside it. */
	#leaveBehind(attempt: Attempt, reason: unknown): void {
		this.#current = undefined;
		this.#lane = new Lane(this);
		this.#waitsForHand = false;
		this.#counters.handling -= 1;
		this.#deadline.release();
		attempt.giveUp(reason);
	}
}
