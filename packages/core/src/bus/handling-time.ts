import type { Attempt } from "./attempt.js";
import { Deadline } from "./deadline.js";
import type { EventLoopTurn } from "./event-loop-turn.js";

/** Whose time is watched. */
export interface TimedHandling {
	/** What is being handled. */
	readonly current: Attempt | undefined;
	/** Milliseconds from the moment at which a handler was given it. */
	ackTimeoutMsOf(attempt: Attempt): number;
	/** Must not throw. */
	timeIsUp(attempt: Attempt): void;
}

/** Watches the time of one handler, one message after the other. What is done with in the turn of the event loop in which it began costs next to nothing. */
export class HandlingTime {
	readonly #handling: TimedHandling;
	readonly #turn: EventLoopTurn;
	readonly #deadline: Deadline = new Deadline(() => this.#look());
	#isWatched = false;

	constructor(handling: TimedHandling, turn: EventLoopTurn) {
		this.#handling = handling;
		this.#turn = turn;
	}

	/** A handler is being given a message. */
	begin(): void {
		if (this.#isWatched) return;
		this.#isWatched = true;
		this.#turn.atEnd(this.#setDeadline);
	}

	/** What is being handled has another deadline. */
	extended(attempt: Attempt): void {
		if (attempt.deadline !== undefined) this.#deadline.set(attempt.deadline);
	}

	/** It is done with. */
	end(): void {
		this.#deadline.release();
	}

	/** There will be no other. */
	clear(): void {
		this.#deadline.clear();
	}

	readonly #setDeadline = (): void => {
		this.#isWatched = false;
		const attempt = this.#handling.current;
		if (attempt === undefined) return;
		attempt.deadline ??= performance.now() + this.#handling.ackTimeoutMsOf(attempt);
		this.#deadline.set(attempt.deadline);
	};

	#look(): void {
		const attempt = this.#handling.current;
		if (attempt?.deadline === undefined) return; // another one, which began in this turn
		if (performance.now() < attempt.deadline) this.#deadline.set(attempt.deadline);
		else this.#handling.timeIsUp(attempt);
	}
}
