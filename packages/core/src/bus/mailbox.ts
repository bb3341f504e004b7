import { type FailureWarning, failureReport } from "../stream/failure-report.js";
import { Fifo } from "../stream/fifo.js";
import { describeValue } from "../text/describe-value.js";
import type { BusLog } from "./bus-log.js";
import { attemptEnding } from "./bus-log.js";
import type { ResolvedBusOptions } from "./bus-options.js";
import type { ChannelCounters } from "./bus-statistics.js";
import type { ChannelQueue, ChannelSubscription, DeadLetterReason, DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import { Attempt, type AttemptOwner } from "./delivery.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import type { Handling } from "./handling.js";
import type { OpenWork } from "./open-work.js";
import type { Outbox } from "./outbox.js";
import { messageFrom, type RobotMessage } from "./robot-message.js";
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
	reply(from: Mailbox, message: RobotMessage, content: unknown): Promise<SentMessage>;
	/** Answers without waiting for room. Throws, or rejects, where the content is none. */
	answer(from: Mailbox, message: RobotMessage, content: unknown): undefined | Promise<void>;
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
	#subscription: ChannelSubscription | undefined;
	#retry: Retry | undefined;
	#current: Attempt | undefined;
	#isAwake = false;
	#isWatched = false;
	#end: Extract<DeadLetterReason, "left" | "closed" | "lost"> | undefined;
	#deadlineTimer: NodeJS.Timeout | undefined;
	#retryTimer: NodeJS.Timeout | undefined;
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

	readonly #receive = (delivery: TransportDelivery): void => {
		this.#counters.delivered += 1;
		this.#counters.waiting += 1;
		this.#queue.push(delivery);
		if (this.#isAwake) return;
		this.#isAwake = true;
		this.#ports.work.begin();
		this.#ports.wake(this);
	};

	/** Hands messages to the handler until there are none. Never rejects. */
	async work(): Promise<void> {
		for (;;) {
			if (!this.#ports.turn.step()) await new Promise<void>((resolve) => this.#ports.turn.atEnd(resolve));
			const transport = this.#retry?.transport ?? this.#queue.shift();
			if (transport === undefined) break;
			const attempt = this.#begin(transport);
			if (attempt === undefined) continue;
			const { handler, ack, autoReply } = this.handling as Handling;
			try {
				const answer = await handler(attempt.message as RobotMessage<never>, attempt);
				if (answer !== undefined && autoReply && attempt === this.#current && attempt.state !== "nacked") {
					const sending = this.#ports.answer(this, attempt.message, answer);
					if (sending !== undefined) await sending;
				}
				if (ack !== "manual") {
					if (attempt.state === "open") attempt.ack();
				} else if (attempt.state === "open") await attempt.settled();
			} catch (error) {
				this.#failed(attempt, error);
			}
			if (attempt !== this.#current) return; // left behind: others go on
			this.#finish(attempt);
			if (this.#retryTimer !== undefined) return;
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
		clearTimeout(this.#deadlineTimer);
		const attempt = this.#current;
		if (attempt === undefined) return;
		const isOpen = attempt.state === "open";
		this.#leaveBehind(attempt, error);
		if (isOpen) attempt.transport.nack({ reason, attempts: attempt.attempt });
		else if (attempt.retry !== undefined) attempt.transport.nack(attempt.retry);
		attempt.publisher?.end({ event: "run.interrupted", reason: "other" });
		this.#sleep();
	}

	// What attempts tell of themselves

	settled(attempt: Attempt, failure: DeliveryFailure | undefined): void {
		if (failure === undefined) {
			this.#counters.acked += 1;
			attempt.transport.ack();
			return;
		}
		this.#counters.nacked += 1;
		this.#refused(attempt, failure);
	}

	extended(attempt: Attempt): void {
		if (attempt === this.#current) this.#watchUntil(attempt.deadline as number);
	}

	reply(attempt: Attempt, content: unknown): Promise<SentMessage> {
		return this.#ports.reply(this, attempt.message, content);
	}

	/** `undefined`: the message is settled without a handler. */
	#begin(transport: TransportDelivery): Attempt | undefined {
		const { handling } = this;
		const tried = this.#retry?.failure.attempts ?? 0;
		this.#retry = undefined;
		this.#counters.waiting -= 1;
		const isReply = transport.message.inReplyTo !== undefined;
		if (handling === undefined || (isReply && handling.ignoresReplies)) {
			if (isReply) {
				this.#counters.acked += 1;
				transport.ack();
			} else transport.nack({ reason: "no_handler", attempts: tried });
			return undefined;
		}
		const attempt = new Attempt(this, messageFrom(transport.message, this.#ports.options.contents.json), transport, tried + 1);
		this.#current = attempt;
		this.#counters.handling += 1;
		if (tried > 0) this.#counters.redelivered += 1;
		attempt.publisher = this.#ports.log?.attempt(attempt);
		this.#watch();
		return attempt;
	}

	#finish(attempt: Attempt): void {
		this.#current = undefined;
		this.#counters.handling -= 1;
		attempt.publisher?.end(attemptEnding(attempt));
		this.#tryAgain(attempt);
	}

	#tryAgain({ transport, retry: failure }: Attempt): void {
		if (failure === undefined) return;
		if (this.#end !== undefined) {
			transport.nack(failure);
			return;
		}
		this.#counters.waiting += 1;
		this.#retry = { transport, failure };
		const delayMs = this.#limit("retryDelayMs");
		if (delayMs === 0) return;
		// keeps the process alive: the message is still to be handled
		this.#retryTimer = setTimeout(() => {
			this.#retryTimer = undefined;
			this.#ports.wake(this);
		}, delayMs);
	}

	#refused(attempt: Attempt, failure: DeliveryFailure): void {
		attempt.refusal = failure;
		if (this.#end === undefined && attempt.attempt < this.#limit("maxAttempts")) attempt.retry = failure;
		else attempt.transport.nack(failure);
	}

	#failed(attempt: Attempt, error: unknown): void {
		if (attempt.state === "open") attempt.fail(error);
		else if (attempt.state !== "given_up") this.#warn(error);
	}

	#warn(error: unknown): void {
		this.#reportLate ??= failureReport(undefined, failedLate(this.name));
		this.#reportLate(error);
	}

	#sleep(): void {
		this.#isAwake = false;
		this.#ports.work.end();
		if (this.#end === "left") this.#ports.gone(this);
	}

	/** What waits here is dead. */
	#bury(reason: DeadLetterReason): void {
		const retry = this.#retry;
		if (retry !== undefined) {
			this.#retry = undefined;
			this.#counters.waiting -= 1;
			if (this.#retryTimer !== undefined) {
				clearTimeout(this.#retryTimer);
				this.#retryTimer = undefined;
				this.#sleep();
			}
			retry.transport.nack({ ...retry.failure, reason });
		}
		for (let delivery = this.#queue.shift(); delivery !== undefined; delivery = this.#queue.shift()) {
			this.#counters.waiting -= 1;
			delivery.nack({ reason, attempts: 0 });
		}
	}

	// Deadlines: one timer, which is set anew when it rings too early

	#limit(name: "ackTimeoutMs" | "maxAttempts" | "retryDelayMs"): number {
		return this.handling?.[name] ?? this.#ports.options[name];
	}

	#watch(): void {
		if (this.#isWatched) return;
		this.#isWatched = true;
		this.#ports.turn.atEnd(this.#setDeadline);
	}

	readonly #setDeadline = (): void => {
		this.#isWatched = false;
		const attempt = this.#current;
		if (attempt === undefined) return;
		attempt.deadline ??= performance.now() + this.#limit("ackTimeoutMs");
		this.#watchUntil(attempt.deadline);
	};

	#watchUntil(deadline: number): void {
		clearTimeout(this.#deadlineTimer);
		this.#deadlineTimer = setTimeout(this.#ring, Math.max(1, Math.ceil(deadline - performance.now()))).unref();
	}

	readonly #ring = (): void => {
		const attempt = this.#current;
		if (attempt?.deadline === undefined) return;
		if (performance.now() < attempt.deadline) this.#watchUntil(attempt.deadline);
		else this.#timeOut(attempt);
	};

	#timeOut(attempt: Attempt): void {
		const isOpen = attempt.state === "open";
		this.#leaveBehind(attempt, new DOMException(`The time to handle a message is up.`, "TimeoutError"));
		attempt.publisher?.end({ event: "run.interrupted", reason: "timeout" });
		if (isOpen) {
			this.#counters.timedOut += 1;
			this.#refused(attempt, { reason: "timed_out", attempts: attempt.attempt });
		} else this.#warn(new Error("it goes on, though its time is up, and others are handled beside it"));
		this.#tryAgain(attempt);
		if (this.#retryTimer === undefined) this.#ports.wake(this);
	}

	#leaveBehind(attempt: Attempt, reason: unknown): void {
		this.#current = undefined;
		this.#counters.handling -= 1;
		attempt.giveUp(reason);
	}
}

const failedLate = (name: string): FailureWarning => ({
	what: `The handler of ${describeValue(name)} failed after it had settled a message, which counts as handled or refused as it said`,
	code: "ROBOT_LAB_HANDLER_FAILED",
});
