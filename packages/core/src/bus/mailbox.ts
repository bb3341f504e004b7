import { type FailureWarning, failureReport } from "../stream/failure-report.js";
import { Fifo } from "../stream/fifo.js";
import { describeValue } from "../text/describe-value.js";
import { Attempt, type AttemptOwner } from "./attempt.js";
import { attemptEnding, type BusLog } from "./bus-log.js";
import type { ResolvedBusOptions } from "./bus-options.js";
import type { ChannelCounters } from "./bus-statistics.js";
import type { ChannelQueue, ChannelSubscription, DeadLetterReason, DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import { Deadline } from "./deadline.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import type { Handling } from "./handling.js";
import type { OpenWork } from "./open-work.js";
import type { Outbox } from "./outbox.js";
import { type MessageRecord, messageFrom, type RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";

/** What a mailbox has of its bus. */
export interface MailboxPorts {
	readonly options: ResolvedBusOptions;
	readonly turn: EventLoopTurn;
	readonly work: OpenWork;
	readonly log: BusLog | undefined;
	/** Calls `work()` of the mailbox behind what goes on. */
	wake(mailbox: Mailbox): void;
	/** It has left, and its last message came to its end. */
	gone(mailbox: Mailbox): void;
	reply(from: Mailbox, message: MessageRecord, content: unknown): Promise<SentMessage>;
	/** Answers without waiting for room. Throws, or rejects, where the content is none. */
	answer(from: Mailbox, message: MessageRecord, content: unknown): undefined | Promise<void>;
}

/** What is to be tried again. */
interface Retry {
	readonly transport: TransportDelivery;
	readonly failure: DeliveryFailure;
}

/** The messages for one member: one at a time, in order, until each is settled. */
export class Mailbox implements AttemptOwner {
	readonly name: string;
	readonly outbox: Outbox;
	handling: Handling | undefined;
	readonly #ports: MailboxPorts;
	readonly #counters: ChannelCounters;
	readonly #queue: Fifo<TransportDelivery> = new Fifo();
	readonly #deadline: Deadline = new Deadline(() => this.#timeOut());
	#subscription: ChannelSubscription | undefined;
	#retry: Retry | undefined;
	#retryTimer: NodeJS.Timeout | undefined;
	/** What is being handled. */
	#current: Attempt | undefined;
	#lane: Lane = new Lane(this);
	/** It has something to do, or waits for an end of it. */
	#isAwake = false;
	#isWatched = false;
	#end: Extract<DeadLetterReason, "left" | "closed" | "lost"> | undefined;
	#reportLate: ((error: unknown) => void) | undefined;

	constructor(name: string, outbox: Outbox, counters: ChannelCounters, ports: MailboxPorts) {
		this.name = name;
		this.outbox = outbox;
		this.#counters = counters;
		this.#ports = ports;
	}

	get hasLeft(): boolean {
		return this.#end === "left";
	}

	subscribe(subscribe: (queue: ChannelQueue) => ChannelSubscription): ChannelSubscription {
		this.#subscription = subscribe({ capacity: this.#ports.options.maxPending, receive: this.#receive });
		return this.#subscription;
	}

	/** Hands messages to the handler, until one takes longer or none is left. */
	work(): void {
		const { turn } = this.#ports;
		for (;;) {
			if (turn.isLong) {
				turn.atEnd(() => this.work());
				return;
			}
			turn.step();
			const transport = this.#retry?.transport ?? this.#queue.shift();
			if (transport === undefined) break;
			const { handling } = this;
			if (handling === undefined || (handling.ignoresReplies && transport.message.inReplyTo !== undefined)) this.#pass(transport);
			else if (!this.#handle(transport, handling)) return;
		}
		this.#sleep();
	}

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
		attempt.publisher?.end({ event: "run.interrupted", reason: "other" });
		this.#sleep();
		// nothing where it was settled before
		attempt.transport.nack({ ...attempt.retry, reason, attempts: attempt.attempt });
	}

	// What attempts tell of themselves

	settled(attempt: Attempt, failure: DeliveryFailure | undefined): void {
		if (failure === undefined) {
			this.#counters.acked += 1;
			attempt.transport.ack();
		} else {
			this.#counters.nacked += 1;
			this.#refuse(attempt, failure);
		}
		if (!this.#lane.waitsForHand) return;
		this.#lane.waitsForHand = false;
		if (this.#finish(attempt)) this.#ports.wake(this);
	}

	extended(attempt: Attempt): void {
		if (attempt === this.#current) this.#deadline.set(attempt.deadline as number);
	}

	reply(attempt: Attempt, content: unknown): Promise<SentMessage> {
		return this.#ports.reply(this, attempt.transport.message, content);
	}

	// What lanes tell

	/** A handler has come to its end, later than it was called. */
	ended(lane: Lane, answer: unknown): void {
		if (lane === this.#lane && this.#conclude(lane, lane.attempt as Attempt, answer)) this.work();
	}

	failed(lane: Lane, error: unknown): void {
		const attempt = lane.attempt as Attempt;
		this.#fail(attempt, error);
		if (attempt === this.#current && this.#finish(attempt)) this.work();
	}

	readonly #receive = (delivery: TransportDelivery): void => {
		this.#counters.delivered += 1;
		if (this.#end !== undefined) {
			// it had waited for the room of what was settled as this ended
			delivery.nack({ reason: this.#end, attempts: 0 });
			return;
		}
		this.#counters.waiting += 1;
		this.#queue.push(delivery);
		if (this.#isAwake) return;
		this.#isAwake = true;
		this.#ports.work.begin();
		this.#ports.wake(this);
	};

	/** Settles what needs no handler: replies have been heard of, and nobody handles the rest. */
	#pass(transport: TransportDelivery): void {
		const attempts = this.#retry?.failure.attempts ?? 0;
		this.#retry = undefined;
		this.#counters.waiting -= 1;
		if (transport.message.inReplyTo === undefined) {
			transport.nack({ reason: "no_handler", attempts });
			return;
		}
		this.#counters.acked += 1;
		transport.ack();
	}

	/** Whether the next one can be handled at once. */
	#handle(transport: TransportDelivery, handling: Handling): boolean {
		const attempt = this.#begin(transport);
		const lane = this.#lane;
		lane.attempt = attempt;
		lane.handling = handling;
		let answer: unknown;
		try {
			answer = handling.handler(attempt.message as RobotMessage<never>, attempt);
		} catch (error) {
			this.#fail(attempt, error);
			return attempt === this.#current && this.#finish(attempt);
		}
		if (typeof answer !== "object" || answer === null) return attempt === this.#current && this.#conclude(lane, attempt, answer);
		// also where it was left behind meanwhile: what it fails with must not end the process
		Promise.resolve(answer).then(lane.ended, lane.failed);
		return false;
	}

	#begin(transport: TransportDelivery): Attempt {
		const tried = this.#retry?.failure.attempts ?? 0;
		this.#retry = undefined;
		const attempt = new Attempt(this, messageFrom(transport.message, this.#ports.options.contents.json), transport, tried + 1);
		this.#current = attempt;
		this.#counters.waiting -= 1;
		this.#counters.handling += 1;
		if (tried > 0) this.#counters.redelivered += 1;
		if (this.#ports.log !== undefined) attempt.publisher = this.#ports.log.attempt(attempt);
		if (this.#isWatched) return attempt;
		this.#isWatched = true;
		this.#ports.turn.atEnd(this.#setDeadline);
		return attempt;
	}

	/** A handler has come to its end. Whether the next message can be handled at once. */
	#conclude(lane: Lane, attempt: Attempt, answer: unknown): boolean {
		const { ack, autoReply } = lane.handling as Handling;
		if (answer !== undefined && autoReply && attempt.state !== "nacked") {
			try {
				const answering = this.#ports.answer(this, attempt.transport.message, answer);
				if (answering !== undefined) {
					answering.then(() => this.ended(lane, undefined), lane.failed);
					return false;
				}
			} catch (error) {
				this.#fail(attempt, error);
			}
		}
		if (attempt.state === "open") {
			if (ack === "manual") {
				lane.waitsForHand = true;
				return false;
			}
			attempt.ack();
		}
		return attempt === this.#current && this.#finish(attempt);
	}

	/** Whether the next message can be handled at once. */
	#finish(attempt: Attempt): boolean {
		this.#current = undefined;
		this.#counters.handling -= 1;
		if (attempt.publisher !== undefined) attempt.publisher.end(attemptEnding(attempt));
		return attempt.retry === undefined || this.#tryAgain(attempt.transport, attempt.retry);
	}

	#tryAgain(transport: TransportDelivery, failure: DeliveryFailure): boolean {
		if (this.#end !== undefined) {
			transport.nack(failure);
			return true;
		}
		this.#counters.waiting += 1;
		this.#retry = { transport, failure };
		const delayMs = this.#limit("retryDelayMs");
		if (delayMs === 0) return true;
		// keeps the process alive: the message is still to be handled
		this.#retryTimer = setTimeout(() => {
			this.#retryTimer = undefined;
			this.work();
		}, delayMs);
		return false;
	}

	#fail(attempt: Attempt, error: unknown): void {
		if (attempt.state === "open") attempt.fail(error);
		else if (attempt.state !== "given_up") this.#warn(error);
	}

	#refuse(attempt: Attempt, failure: DeliveryFailure): void {
		attempt.refusal = failure;
		if (attempt.attempt < this.#limit("maxAttempts")) attempt.retry = failure;
		else attempt.transport.nack(failure);
	}

	#warn(error: unknown): void {
		this.#reportLate ??= failureReport(undefined, failedLate(this.name));
		this.#reportLate(error);
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
		const retry = this.#retry;
		if (this.#retryTimer !== undefined) {
			clearTimeout(this.#retryTimer);
			this.#retryTimer = undefined;
			this.#ports.wake(this); // to find out that nothing is left
		}
		if (retry !== undefined) {
			this.#retry = undefined;
			this.#counters.waiting -= 1;
			retry.transport.nack({ ...retry.failure, reason });
		}
		for (let delivery = this.#queue.shift(); delivery !== undefined; delivery = this.#queue.shift()) {
			this.#counters.waiting -= 1;
			delivery.nack({ reason, attempts: 0 });
		}
	}

	#limit(name: "ackTimeoutMs" | "maxAttempts" | "retryDelayMs"): number {
		return this.handling?.[name] ?? this.#ports.options[name];
	}

	readonly #setDeadline = (): void => {
		this.#isWatched = false;
		const attempt = this.#current;
		if (attempt === undefined) return;
		attempt.deadline ??= performance.now() + this.#limit("ackTimeoutMs");
		this.#deadline.set(attempt.deadline);
	};

	#timeOut(): void {
		const attempt = this.#current;
		if (attempt?.deadline === undefined) return; // another one, which began in this turn
		if (performance.now() < attempt.deadline) {
			this.#deadline.set(attempt.deadline);
			return;
		}
		const isOpen = attempt.state === "open";
		this.#leaveBehind(attempt, new DOMException("The time to handle a message is up.", "TimeoutError"));
		attempt.publisher?.end({ event: "run.interrupted", reason: "timeout" });
		if (isOpen) {
			this.#counters.timedOut += 1;
			this.#refuse(attempt, { reason: "timed_out", attempts: attempt.attempt });
		} else this.#warn(new Error("it goes on, though its time is up, and the next message is handled beside it"));
		if (attempt.retry === undefined || this.#tryAgain(attempt.transport, attempt.retry)) this.work();
	}

	/** Nobody waits for its handler any longer: the next messages have another lane. */
	#leaveBehind(attempt: Attempt, reason: unknown): void {
		this.#current = undefined;
		this.#lane = new Lane(this);
		this.#counters.handling -= 1;
		attempt.giveUp(reason);
	}
}

/** What waits for the ends of handlers, one after the other: a promise for each message would have functions of its own. */
class Lane {
	attempt: Attempt | undefined = undefined;
	handling: Handling | undefined = undefined;
	/** The handler has come to its end, and the message is to be settled by hand. */
	waitsForHand = false;
	readonly ended: (answer: unknown) => void;
	readonly failed: (error: unknown) => void;

	constructor(mailbox: Mailbox) {
		this.ended = (answer) => mailbox.ended(this, answer);
		this.failed = (error) => mailbox.failed(this, error);
	}
}

const failedLate = (name: string): FailureWarning => ({
	what: `The handler of ${describeValue(name)} failed after it had settled a message, which counts as handled or refused as it said`,
	code: "ROBOT_LAB_HANDLER_FAILED",
});
