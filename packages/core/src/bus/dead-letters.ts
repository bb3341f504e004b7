import { ConfigurationError } from "../errors/configuration-error.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { type FailureWarning, failureReport } from "../stream/failure-report.js";
import { Fifo } from "../stream/fifo.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import { describeValue } from "../text/describe-value.js";
import type { DeadLetterReason } from "./bus-transport.js";
import type { RobotMessage } from "./robot-message.js";

/** A message that came to nothing with one of its recipients. */
export interface DeadLetter {
	readonly message: RobotMessage;
	readonly reason: DeadLetterReason;
	/** How often a handler was given it. 0 where the transport gave it up: it does not know. */
	readonly attempts: number;
	/** What the handler failed with, or said when it refused. */
	readonly error?: FailureFacts;
	/** Milliseconds since 1970. */
	readonly diedAt: number;
}

/** What was sent from a bus and came to nothing: the last of it, oldest first. */
export interface DeadLetters extends Iterable<DeadLetter> {
	/** How many are kept. To ask is not to look: the process is warned all the same where nobody listens, drains or reads them. */
	readonly size: number;
	/** How many were dropped, as there were more than `maxDeadLetters`. */
	readonly dropped: number;
	/** Takes them all out. */
	drain(): readonly DeadLetter[];
	/** Calls the listener with each one from now on, at once. What it throws, or rejects with, changes nothing. */
	on(event: "deadLetter", listener: (letter: DeadLetter) => unknown): Subscription;
}

/** Keeps dead letters, and tells of them. */
export class DeadLetterBox implements DeadLetters {
	readonly #max: number;
	readonly #atEndOfTurn: (action: () => unknown) => void;
	readonly #letters: Fifo<DeadLetter> = new Fifo();
	readonly #listeners: Map<object, (letter: DeadLetter) => void> = new Map();
	#dropped = 0;
	/** Somebody looks, or will be told that nobody does. */
	#isLookedAfter = false;

	constructor(max: number, atEndOfTurn: (action: () => unknown) => void) {
		this.#max = max;
		this.#atEndOfTurn = atEndOfTurn;
	}

	get size(): number {
		return this.#letters.size;
	}

	get dropped(): number {
		return this.#dropped;
	}

	[Symbol.iterator](): Iterator<DeadLetter> {
		this.#isLookedAfter = true;
		return this.#letters.slice(0, this.size).values();
	}

	drain(): readonly DeadLetter[] {
		const letters = [...this];
		this.#letters.clear();
		return letters;
	}

	on(event: "deadLetter", listener: (letter: DeadLetter) => unknown): Subscription {
		if (event !== "deadLetter")
			throw new ConfigurationError(`deadLetters.on() knows no event ${describeValue(event)}. It knows "deadLetter".`);
		if (typeof listener !== "function") throw new ConfigurationError(`deadLetters.on() needs a function, got ${describeValue(listener)}.`);
		this.#isLookedAfter = true;
		const key = {};
		this.#listeners.set(key, guardedListener(listener, failureReport(undefined, LISTENER_FAILED)));
		return subscription(() => void this.#listeners.delete(key));
	}

	/** @param sent Whether whoever sent it asks what becomes of it. */
	add(letter: DeadLetter, sent: { readonly isAskedFor: boolean }): void {
		this.#letters.push(letter);
		if (this.#letters.size > this.#max) {
			this.#letters.shift();
			this.#dropped += 1;
		}
		// at the end of the turn: whoever waits for it asks, or reads, behind this
		if (!this.#isLookedAfter) this.#atEndOfTurn(() => sent.isAskedFor || this.#warn(letter));
		for (const [key, tell] of [...this.#listeners]) if (this.#listeners.has(key)) tell(letter);
	}

	#warn({ message: { from, to }, reason, error }: DeadLetter): void {
		if (this.#isLookedAfter) return;
		this.#isLookedAfter = true;
		const why = error === undefined ? reason : `${reason}: ${error.message}`;
		process.emitWarning(
			`A message of ${describeValue(from)} came to nothing with ${describeValue(to)} (${why}), and nobody looks at the dead letters of the bus. ` +
				'Listen with bus.deadLetters.on("deadLetter", …) or read bus.deadLetters. This is said once for each bus.',
			{ code: "ROBOT_LAB_DEAD_LETTER" },
		);
	}
}

const LISTENER_FAILED: FailureWarning = {
	what: "A listener of dead letters failed, and is still told of the next ones",
	code: "ROBOT_LAB_LISTENER_FAILED",
};
