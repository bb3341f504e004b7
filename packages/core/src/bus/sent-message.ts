import { BusError } from "../errors/bus-error.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import { checkNames, checkTimeout, isSignal } from "../options/check-options.js";
import { onAbort } from "../process/on-abort.js";
import { describeValue } from "../text/describe-value.js";
import type { DeliveryOutcome } from "./bus-transport.js";
import type { Outbox } from "./outbox.js";
import type { RobotMessage } from "./robot-message.js";

/** How long to wait for an answer. */
export interface ReplyOptions {
	/** Milliseconds, at most 2147483647; 0: now or not at all. The deadline keeps no process alive. Default: none. */
	readonly timeoutMs?: number;
	/** Ends the waiting: the promise rejects with its reason. */
	readonly signal?: AbortSignal;
}

/**
 * A message that every recipient's queue has taken.
 *
 * @typeParam Answer What answers to it hold.
 */
export interface SentMessage<Answer = Json> {
	readonly message: RobotMessage;
	/** What an answer names. */
	readonly key: string;
	/** How many have it. */
	readonly recipients: number;
	/** What became of it with each recipient, in no particular order, as soon as all have done with it. Never rejects. */
	settled(): Promise<readonly DeliveryOutcome[]>;
	/**
	 * The first answer, also one that has come already. Rejects with BusError: `not_delivered` as soon as no recipient has handled it, `timed_out`, and
	 * `closed` or `connection_lost` with the bus; and with the signal's reason. An answer that comes when the message has left the outbox is heard by
	 * who waits for it by then.
	 */
	reply(options?: ReplyOptions): Promise<RobotMessage<Answer>>;
}

/** Where a message was sent from. */
export interface Origin {
	/** Why nothing more comes from the bus. */
	readonly end: BusError | undefined;
	/** Nobody will ask for it any more. */
	forget(sent: OutgoingMessage): void;
}

/** A message, and what becomes of it. */
export class OutgoingMessage implements SentMessage {
	readonly message: RobotMessage;
	readonly outbox: Outbox;
	/** Whether the outbox has it. */
	isKept = false;
	/** Whether whoever sent it asked what becomes of it. */
	isAskedFor = false;
	readonly #origin: Origin;
	#recipients: number | undefined = undefined;
	#acked = 0;
	#dead: DeliveryOutcome[] | undefined = undefined;
	#replies: RobotMessage[] | undefined = undefined;
	#waiters: Set<ReplyWaiter> | undefined = undefined;
	#onComplete: (() => void)[] | undefined = undefined;

	constructor(message: RobotMessage, outbox: Outbox, origin: Origin) {
		this.message = message;
		this.outbox = outbox;
		this.#origin = origin;
	}

	get key(): string {
		return this.message.key;
	}

	get recipients(): number {
		return this.#recipients ?? 0;
	}

	get replies(): readonly RobotMessage[] {
		return this.#replies ?? [];
	}

	get isComplete(): boolean {
		return this.#acked + (this.#dead?.length ?? 0) === this.#recipients;
	}

	/** Every recipient has done with it, and none has handled it. */
	get isDead(): boolean {
		return this.#acked === 0 && this.isComplete;
	}

	/** Nobody can ask for it, or for its answers, and nothing more is to be told of it. */
	get isForgettable(): boolean {
		return !this.isKept && this.isComplete && (this.#waiters?.size ?? 0) === 0;
	}

	/** The outbox has it no longer. */
	release(): void {
		this.isKept = false;
		if (this.isForgettable) this.#origin.forget(this);
	}

	async settled(): Promise<readonly DeliveryOutcome[]> {
		this.isAskedFor = true;
		if (!this.isComplete) {
			await new Promise<void>((resolve) => {
				this.#onComplete ??= [];
				this.#onComplete.push(resolve);
			});
		}
		return [...Array.from({ length: this.#acked }, () => ACKED), ...(this.#dead ?? [])];
	}

	async reply(options: ReplyOptions = {}): Promise<RobotMessage> {
		checkReplyOptions(options);
		this.isAskedFor = true;
		const { timeoutMs, signal } = options;
		const [first] = this.replies;
		if (first !== undefined) return first;
		if (this.isDead) throw this.#notDelivered();
		if (this.#origin.end !== undefined) throw this.#origin.end;
		signal?.throwIfAborted();
		if (timeoutMs === 0) throw this.#late(0);
		return new Promise((resolve, reject) => this.#wait(resolve, reject, options));
	}

	/** So many queues have taken it. */
	taken(recipients: number): void {
		this.#recipients = recipients;
		if (this.isComplete) this.#complete();
	}

	/** One recipient has done with it. Whether it was the last. */
	note(outcome: DeliveryOutcome): boolean {
		if (outcome.state === "acked") this.#acked += 1;
		else {
			this.#dead ??= [];
			this.#dead.push(outcome);
		}
		if (!this.isComplete) return false;
		this.#complete();
		return true;
	}

	/** How many outcomes are still to come, where that is known. */
	get missing(): number {
		return this.recipients === 0 ? 0 : this.recipients - this.#acked - (this.#dead?.length ?? 0);
	}

	answered(reply: RobotMessage): void {
		this.#replies ??= [];
		this.#replies.push(reply);
		for (const { resolve } of this.#takeWaiters()) resolve(reply);
	}

	/** Nothing more comes from the bus. */
	endWaiting(error: BusError): void {
		for (const { reject } of this.#takeWaiters()) reject(error);
	}

	#complete(): void {
		const waiting = this.#onComplete ?? [];
		this.#onComplete = undefined;
		for (const resolve of waiting) resolve();
		if (this.isDead) for (const { reject } of this.#takeWaiters()) reject(this.#notDelivered());
	}

	#wait(resolve: (reply: RobotMessage) => void, reject: (error: unknown) => void, { timeoutMs, signal }: ReplyOptions): void {
		const end = (): void => {
			this.#waiters?.delete(waiter);
			clearTimeout(timer);
			stopListening?.();
			if (this.isForgettable) this.#origin.forget(this);
		};
		const waiter: ReplyWaiter = {
			resolve: (reply) => {
				end();
				resolve(reply);
			},
			reject: (error) => {
				end();
				reject(error);
			},
		};
		const timer = timeoutMs === undefined ? undefined : setTimeout(() => waiter.reject(this.#late(timeoutMs)), timeoutMs).unref();
		const stopListening = signal && onAbort(signal, () => waiter.reject(signal.reason));
		this.#waiters ??= new Set();
		this.#waiters.add(waiter);
	}

	#takeWaiters(): readonly ReplyWaiter[] {
		return this.#waiters === undefined ? [] : [...this.#waiters];
	}

	#notDelivered(): BusError {
		const [death] = (this.#dead ?? []) as readonly (DeliveryOutcome & { readonly state: "dead" })[];
		const why = death?.error === undefined ? `${death?.reason}` : `${death.reason}: ${death.error.message}`;
		return new BusError(
			"not_delivered",
			`There will be no answer from ${describeValue(this.message.to)}: the message came to nothing (${why}). The dead letters of the bus hold it.`,
		);
	}

	#late(timeoutMs: number): BusError {
		const to = describeValue(this.message.to);
		return new BusError(
			"timed_out",
			`No answer from ${to} within ${timeoutMs} ms. Give it longer (timeoutMs), or see whether it answers at all.`,
		);
	}
}

interface ReplyWaiter {
	readonly resolve: (reply: RobotMessage) => void;
	readonly reject: (error: unknown) => void;
}

const ACKED: DeliveryOutcome = Object.freeze({ state: "acked" });

function checkReplyOptions(options: ReplyOptions): void {
	checkNames("reply()", options, ["timeoutMs", "signal"]);
	checkTimeout(options.timeoutMs);
	if (options.signal === undefined || isSignal(options.signal)) return;
	throw new ConfigurationError(`reply() needs an AbortSignal as signal, got ${describeValue(options.signal)}.`);
}
