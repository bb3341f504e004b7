import { failureFacts } from "../stream/failure-facts.js";
import { Attempt, type AttemptOwner } from "./attempt.js";
import { attemptEnding, type BusLog } from "./bus-log.js";
import type { ResolvedBusOptions } from "./bus-options.js";
import type { ChannelCounters } from "./bus-statistics.js";
import type { DeadLetterReason, DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import { HandlerWarnings } from "./handler-warnings.js";
import type { Handling } from "./handling.js";
import { HandlingTime, type TimedHandling } from "./handling-time.js";
import { Lane, type LaneOwner } from "./lane.js";
import { messageFrom, type RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";

/** What a desk has of its mailbox and its bus. */
export interface DeskPorts {
	readonly name: string;
	readonly options: ResolvedBusOptions;
	readonly turn: EventLoopTurn;
	readonly log: BusLog | undefined;
	readonly counters: ChannelCounters;
	/** @param onRefused Called with what the content is refused with. */
	reply(attempt: Attempt, content: unknown, onRefused: (error: unknown) => void): Promise<SentMessage>;
	/** Answers without waiting for room. Throws, or rejects, where the content is none. An attempt that nobody waits for by the time it is checked has no answer. */
	answer(attempt: Attempt, content: unknown): undefined | Promise<void>;
	/** To be handled again, at once or later. Whether at once. */
	tryAgain(attempt: Attempt, failure: DeliveryFailure): boolean;
	/** The next message can be handled. Must not throw. */
	goOn(): void;
	/** The same behind what goes on. */
	wake(): void;
	/** Whether there may be a next one. */
	mayGoOn(): boolean;
}

/** Where one member handles one message at a time: from the call of its handler until that has come to its end and the message is settled. */
export class Desk implements AttemptOwner, LaneOwner, TimedHandling {
	readonly #ports: DeskPorts;
	readonly #counters: ChannelCounters;
	readonly #time: HandlingTime;
	readonly #warnings: HandlerWarnings;
	#current: Attempt | undefined;
	#lane: Lane = new Lane(this);
	/** The handler has come to its end, and the message is to be settled by hand. */
	#waitsForHand = false;

	constructor(ports: DeskPorts) {
		this.#ports = ports;
		this.#counters = ports.counters;
		this.#time = new HandlingTime(this, ports.turn);
		this.#warnings = new HandlerWarnings(ports.name);
	}

	get current(): Attempt | undefined {
		return this.#current;
	}

	/** Whether the next message can be handled at once. */
	handle(transport: TransportDelivery, handling: Handling, tried: number): boolean {
		const attempt = this.#begin(transport, handling, tried);
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

	/** Something failed that is neither the handler's nor the message's: this message has failed by it, and all others go on. Never throws. */
	rescue(transport: TransportDelivery, error: unknown, tried: number): boolean {
		this.#warnings.escaped(error);
		const attempt = this.#current;
		try {
			if (attempt !== undefined) return this.#failed(attempt, error);
			transport.nack({ reason: "failed", attempts: tried, error: failureFacts(error) });
		} catch {
			// the transport fails, too: nobody can be told
		}
		if (this.#current !== undefined) this.#leaveBehind(this.#current, error);
		return this.#ports.mayGoOn();
	}

	/**
	 * The message at hand is dead. Whether there was one.
	 *
	 * @param before Called before it is settled.
	 */
	close(reason: DeadLetterReason, error: unknown, before: () => void): boolean {
		const attempt = this.#current;
		if (attempt === undefined) return false;
		this.#leaveBehind(attempt, error);
		attempt.runPublisher?.end({ event: "run.interrupted", reason: "other" });
		before();
		// nothing where it was settled before
		attempt.transport.nack({ ...attempt.retry, reason, attempts: attempt.attempt });
		return true;
	}

	/** Nothing comes any more. */
	clear(): void {
		this.#time.clear();
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
			if (goesOn && this.#finish(attempt)) this.#ports.wake();
		}
	}

	extended(attempt: Attempt): void {
		if (attempt === this.#current) this.#time.extended(attempt);
	}

	reply(attempt: Attempt, content: unknown): Promise<SentMessage> {
		return this.#ports.reply(attempt, content, (error) => {
			attempt.refusedAnswer = { error };
		});
	}

	// What lanes tell, also where a handler was left behind meanwhile: what it fails with is told

	ended(attempt: Attempt, answer: unknown): void {
		// not by a function, as the two below: this is what happens most
		let goesOn: boolean;
		try {
			goesOn = this.#concluded(attempt, answer);
		} catch (error) {
			goesOn = this.rescue(attempt.transport, error, attempt.attempt);
		}
		if (goesOn) this.#ports.goOn();
	}

	failed(attempt: Attempt, error: unknown): void {
		this.#goOnAfter(attempt, () => this.#failed(attempt, error));
	}

	// What the time tells

	ackTimeoutMsOf({ handling }: Attempt): number {
		return handling.ackTimeoutMs ?? this.#ports.options.ackTimeoutMs;
	}

	timeIsUp(attempt: Attempt): void {
		this.#goOnAfter(attempt, () => this.#giveUp(attempt));
	}

	/** Never throws. */
	#goOnAfter(attempt: Attempt, step: () => boolean): void {
		let goesOn: boolean;
		try {
			goesOn = step();
		} catch (error) {
			goesOn = this.rescue(attempt.transport, error, attempt.attempt);
		}
		if (goesOn) this.#ports.goOn();
	}

	#begin(transport: TransportDelivery, handling: Handling, tried: number): Attempt {
		const message = messageFrom(transport.message, this.#ports.options.contents.json);
		const attempt = new Attempt(this, message, transport, handling, tried + 1);
		this.#current = attempt;
		this.#counters.handling += 1;
		if (tried > 0) this.#counters.redelivered += 1;
		const { log } = this.#ports;
		if (log !== undefined) {
			attempt.runPublisher = log.attempt(attempt);
			if (attempt !== this.#current) attempt.runPublisher?.end({ event: "run.interrupted", reason: "other" });
		}
		this.#time.begin();
		return attempt;
	}

	#failed(attempt: Attempt, error: unknown): boolean {
		this.#fail(attempt, error);
		return attempt === this.#current && this.#finish(attempt);
	}

	#concluded(attempt: Attempt, answer: unknown): boolean {
		if (attempt !== this.#current) return false;
		if (answer !== undefined && attempt.handling.autoReply && attempt.state !== "nacked") {
			try {
				const answering = this.#ports.answer(attempt, answer);
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

	#finish(attempt: Attempt): boolean {
		this.#current = undefined;
		this.#counters.handling -= 1;
		this.#time.end();
		if (attempt.runPublisher !== undefined) attempt.runPublisher.end(attemptEnding(attempt));
		return attempt.retry === undefined || this.#ports.tryAgain(attempt, attempt.retry);
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

	/** Where the transport fails to, whoever sent the message must not wait for ever for what becomes of it. */
	#ack({ transport, attempt }: Attempt): void {
		try {
			transport.ack();
		} catch (error) {
			transport.nack({ reason: "failed", attempts: attempt, error: failureFacts(error) });
			throw error;
		}
	}

	#giveUp(attempt: Attempt): boolean {
		const isOpen = attempt.state === "open";
		this.#leaveBehind(attempt, new DOMException("The time to handle a message is up.", "TimeoutError"));
		attempt.runPublisher?.end({ event: "run.interrupted", reason: "timeout" });
		if (isOpen) {
			this.#counters.timedOut += 1;
			this.#refuse(attempt, { reason: "timed_out", attempts: attempt.attempt });
		} else this.#warnings.late(new Error("it goes on, though its time is up, and the next message is handled beside it"));
		return attempt.retry === undefined || this.#ports.tryAgain(attempt, attempt.retry);
	}

	/** Nobody waits for its handler any longer: the next messages are handled beside it. */
	#leaveBehind(attempt: Attempt, reason: unknown): void {
		this.#current = undefined;
		this.#lane = new Lane(this);
		this.#waitsForHand = false;
		this.#counters.handling -= 1;
		this.#time.end();
		attempt.giveUp(reason);
	}
}
