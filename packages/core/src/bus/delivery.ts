import { BusError } from "../errors/bus-error.js";
import type { OpenRun } from "../stream/open-run.js";
import { RunInside } from "../stream/open-run.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { describeValue } from "../text/describe-value.js";
import { checkMs } from "./bus-options.js";
import type { DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import { handlerFailure } from "./handler-failure.js";
import type { RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";

/** A message in the hands of a handler. */
export interface Delivery {
	readonly message: RobotMessage;
	/** Which attempt it is, from 1. */
	readonly attempt: number;
	/** Aborted when its time is up or the bus is closed: what goes on then is for nobody. */
	readonly signal: AbortSignal;
	/** The run of this attempt in the log, for `robot.run(text, { parent: delivery.run })`. `undefined` where the bus has no log. */
	readonly run: OpenRun | undefined;
	/** It is handled. Throws BusError `already_settled` where it was settled before: by hand, by its handler's end, or because its time was up. */
	ack(): void;
	/** It is refused: tried again where there are attempts left, dead otherwise. Throws as {@link ack} does. */
	nack(reason?: unknown): void;
	/** So many milliseconds from now until it must be settled, 1 to 2147483647. Throws as {@link ack} does. */
	extend(ms: number): void;
	/** Answers it. Resolves and rejects as `sendReply()` does. */
	reply(content: unknown): Promise<SentMessage>;
}

/** What an attempt has of the mailbox whose handler it is for. */
export interface AttemptOwner {
	/** It was acked or nacked by hand, or by the end of its handler. */
	settled(attempt: Attempt, failure: DeliveryFailure | undefined): void;
	/** It has another deadline. */
	extended(attempt: Attempt): void;
	reply(attempt: Attempt, content: unknown): Promise<SentMessage>;
}

/** What became of an attempt. `given_up`: its time was up, or its bus was closed. */
export type AttemptState = "open" | "acked" | "nacked" | "given_up";

/** One attempt at a message. */
export class Attempt implements Delivery {
	readonly message: RobotMessage;
	readonly attempt: number;
	readonly transport: TransportDelivery;
	/** By `performance.now()`. `undefined` until the turn of the event loop in which it began is over: most are settled by then. */
	deadline: number | undefined = undefined;
	/** Its run in the log. */
	publisher: RunPublisher | undefined = undefined;
	/** Why it came to nothing, where it did. */
	refusal: DeliveryFailure | undefined = undefined;
	/** The same where it is tried again when its handler has come to its end. */
	retry: DeliveryFailure | undefined = undefined;
	readonly #owner: AttemptOwner;
	#state: AttemptState = "open";
	#abort: AbortController | undefined = undefined;
	#abortedWith: { readonly reason: unknown } | undefined = undefined;
	#run: OpenRun | undefined = undefined;
	#onSettled: (() => void) | undefined = undefined;

	constructor(owner: AttemptOwner, message: RobotMessage, transport: TransportDelivery, attempt: number) {
		this.#owner = owner;
		this.message = message;
		this.transport = transport;
		this.attempt = attempt;
	}

	get state(): AttemptState {
		return this.#state;
	}

	get signal(): AbortSignal {
		if (this.#abort === undefined) {
			this.#abort = new AbortController();
			if (this.#abortedWith !== undefined) this.#abort.abort(this.#abortedWith.reason);
		}
		return this.#abort.signal;
	}

	get run(): OpenRun | undefined {
		if (this.publisher === undefined) return undefined;
		this.#run ??= new RunInside(this.publisher, this.signal);
		return this.#run;
	}

	ack(): void {
		this.#settle("ack", "acked", undefined);
	}

	nack(reason?: unknown): void {
		const said = reason === undefined ? {} : { error: handlerFailure(reason) };
		this.#settle("nack", "nacked", { reason: "nacked", attempts: this.attempt, ...said });
	}

	/** Its handler failed before it had settled it. */
	fail(error: unknown): void {
		this.#settle("nack", "nacked", { reason: "failed", attempts: this.attempt, error: handlerFailure(error) });
	}

	extend(ms: number): void {
		checkMs("delivery.extend(): ms", ms, 1);
		this.#checkOpen("extend");
		this.deadline = performance.now() + ms;
		this.#owner.extended(this);
	}

	reply(content: unknown): Promise<SentMessage> {
		return this.#owner.reply(this, content);
	}

	/** Nobody waits for its handler any longer. */
	giveUp(reason: unknown): void {
		if (this.#state === "open") this.#become("given_up");
		this.#abortedWith = { reason };
		this.#abort?.abort(reason);
	}

	/** Resolves when it is settled, or given up. */
	async settled(): Promise<void> {
		if (this.#state !== "open") return;
		await new Promise<void>((resolve) => {
			this.#onSettled = resolve;
		});
	}

	#settle(action: string, state: AttemptState, failure: DeliveryFailure | undefined): void {
		this.#checkOpen(action);
		this.#become(state);
		this.#owner.settled(this, failure);
	}

	#become(state: AttemptState): void {
		this.#state = state;
		this.#onSettled?.();
	}

	#checkOpen(action: string): void {
		if (this.#state === "open") return;
		const { from, to } = this.message;
		const before = this.#state === "given_up" ? "its time was up, or the bus was closed" : `it was ${this.#state} before`;
		throw new BusError(
			"already_settled",
			`Cannot ${action} the message of ${describeValue(from)} to ${describeValue(to)}: ${before}. Settle each delivery once and in time; delivery.extend(ms) gives more.`,
		);
	}
}
