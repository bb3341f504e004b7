import { BusError } from "../errors/bus-error.js";
import { checkMs } from "../options/check-options.js";
import { failureFacts } from "../stream/failure-facts.js";
import { type OpenRun, RunInside } from "../stream/open-run.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { describeValue } from "../text/describe-value.js";
import type { DeliveryFailure, TransportDelivery } from "./bus-transport.js";
import type { Delivery } from "./delivery.js";
import type { Handling } from "./handling.js";
import type { RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";

/** What an attempt has of the mailbox whose handler it is for. */
export interface AttemptOwner {
	/** It was acked, or came to nothing, by hand or by the end of its handler. */
	settled(attempt: Attempt, failure: DeliveryFailure | undefined): void;
	/** It has another deadline. */
	extended(attempt: Attempt): void;
	reply(attempt: Attempt, content: unknown): Promise<SentMessage>;
}

/** What became of an attempt. `given_up`: its time was up, or its bus was closed. */
export type AttemptState = "open" | "acked" | "nacked" | "given_up";

/** What only some attempts have: most are acked at once. */
interface Rare {
	runPublisher?: RunPublisher | undefined;
	refusal?: DeliveryFailure;
	refusedAnswer?: { readonly error: unknown };
	isFailedByAnswer?: boolean;
	retry?: DeliveryFailure;
	abort?: AbortController;
	abortedWith?: { readonly reason: unknown };
	run?: OpenRun;
}

const NOTHING: Rare = Object.freeze({});

/** One attempt at a message. */
export class Attempt implements Delivery {
	readonly message: RobotMessage;
	readonly attempt: number;
	readonly transport: TransportDelivery;
	/** How it is handled, also when the handler was taken away meanwhile. */
	readonly handling: Handling;
	/** By `performance.now()`. `undefined` until the turn of the event loop in which it began is over: most are settled by then. */
	deadline: number | undefined = undefined;
	readonly #owner: AttemptOwner;
	#state: AttemptState = "open";
	#rare: Rare | undefined = undefined;

	constructor(owner: AttemptOwner, message: RobotMessage, transport: TransportDelivery, handling: Handling, attempt: number) {
		this.#owner = owner;
		this.message = message;
		this.transport = transport;
		this.handling = handling;
		this.attempt = attempt;
	}

	get state(): AttemptState {
		return this.#state;
	}

	/** Its run in the log. */
	get runPublisher(): RunPublisher | undefined {
		return this.#rare?.runPublisher;
	}

	set runPublisher(publisher: RunPublisher | undefined) {
		this.#more.runPublisher = publisher;
	}

	/** Why it came to nothing, where it did. */
	get refusal(): DeliveryFailure | undefined {
		return this.#rare?.refusal;
	}

	set refusal(failure: DeliveryFailure) {
		this.#more.refusal = failure;
	}

	/** An answer to it was refused with this. Its work is done: to do it again would not make the answer fit. */
	set refusedAnswer(refused: { readonly error: unknown }) {
		this.#more.refusedAnswer = refused;
	}

	/** Whether that is what it came to nothing for. */
	get isFailedByAnswer(): boolean {
		return this.#rare?.isFailedByAnswer ?? false;
	}

	/** The same where it is tried again as soon as its handler has come to its end. */
	get retry(): DeliveryFailure | undefined {
		return this.#rare?.retry;
	}

	set retry(failure: DeliveryFailure) {
		this.#more.retry = failure;
	}

	get signal(): AbortSignal {
		const rare = this.#more;
		if (rare.abort === undefined) {
			rare.abort = new AbortController();
			if (rare.abortedWith !== undefined) rare.abort.abort(rare.abortedWith.reason);
		}
		return rare.abort.signal;
	}

	get run(): OpenRun | undefined {
		const { runPublisher } = this.#rare ?? NOTHING;
		if (runPublisher === undefined) return undefined;
		this.#more.run ??= new RunInside(runPublisher, this.signal);
		return this.#more.run;
	}

	ack(): void {
		this.#checkOpen("ack");
		this.#state = "acked";
		this.#owner.settled(this, undefined);
	}

	nack(reason?: unknown): void {
		this.#refuse({ reason: "nacked", attempts: this.attempt, ...(reason !== undefined && { error: failureFacts(reason) }) });
	}

	/** Its handler failed before it had settled it. */
	fail(error: unknown): void {
		const refused = this.#rare?.refusedAnswer;
		if (refused !== undefined && refused.error === error) this.#more.isFailedByAnswer = true;
		this.#refuse({ reason: "failed", attempts: this.attempt, error: failureFacts(error) });
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
		if (this.#state === "open") this.#state = "given_up";
		this.#more.abortedWith = { reason };
		this.#more.abort?.abort(reason);
	}

	get #more(): Rare {
		this.#rare ??= {};
		return this.#rare;
	}

	#refuse(failure: DeliveryFailure): void {
		this.#checkOpen("nack");
		this.#state = "nacked";
		this.#owner.settled(this, failure);
	}

	#checkOpen(action: string): void {
		if (this.#state !== "open") throw settledBefore(action, this.message, this.#state);
	}
}

function settledBefore(action: string, { from, to }: RobotMessage, state: AttemptState): BusError {
	const before = state === "given_up" ? "its time was up, or the bus was closed" : `it was ${state} before`;
	const message = `Cannot ${action} the message of ${describeValue(from)} to ${describeValue(to)}: ${before}.`;
	return new BusError("already_settled", `${message} Settle each delivery once and in time; delivery.extend(ms) gives more.`);
}
