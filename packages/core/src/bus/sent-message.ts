import { BusError } from "../errors/bus-error.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import { checkNames, checkTimeout, isSignal } from "../options/check-options.js";
import { onAbort } from "../process/on-abort.js";
import { describeValue } from "../text/describe-value.js";
import type { DeliveryOutcome } from "./bus-transport.js";
import type { Outbox } from "./outbox.js";
import { RobotMessage } from "./robot-message.js";

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
	/** Nothing more is to be told of it but an answer that somebody waits for. */
	remember(sent: OutgoingMessage): void;
	/** Nobody does any more, and nothing more is to be told of it. */
	forget(sent: OutgoingMessage): void;
}

/** A message, and what becomes of it. */
export class OutgoingMessage implements SentMessage {
	/** What the transport has: for nobody else, as it is not frozen, which costs more than all else of it. */
	readonly record: RobotMessage;
	readonly outbox: Outbox;
	/** Where it is in the outbox, which alone writes this. */
	place = -1;
	/** Whether whoever sent it asked what becomes of it. */
	isAskedFor = false;
	readonly #origin: Origin;
	#recipients = UNKNOWN;
	#acked = 0;
	#rare: Rare | undefined = undefined;

	constructor(record: RobotMessage, outbox: Outbox, origin: Origin) {
		this.record = record;
		this.outbox = outbox;
		this.#origin = origin;
	}

	get message(): RobotMessage {
		this.#more.message ??= Object.freeze(new RobotMessage(this.record));
		return this.#more.message;
	}

	get key(): string {
		return this.record.key;
	}

	get recipients(): number {
		return Math.max(0, this.#recipients);
	}

	get replies(): readonly RobotMessage[] {
		return this.#rare?.replies ?? NO_REPLIES;
	}

	get isComplete(): boolean {
		return this.missing === 0;
	}

	/** Every recipient has done with it, and none has handled it. */
	get isDead(): boolean {
		return this.#acked === 0 && this.isComplete;
	}

	/** Nobody waits for an answer, and nothing more is to be told of it. */
	get isForgettable(): boolean {
		return this.isComplete && (this.#rare?.waiters === undefined || this.#rare.waiters.size === 0);
	}

	async settled(): Promise<readonly DeliveryOutcome[]> {
		this.isAskedFor = true;
		if (!this.isComplete) {
			await new Promise<void>((resolve) => {
				this.#more.onComplete ??= [];
				this.#more.onComplete.push(resolve);
			});
		}
		return [...new Array<DeliveryOutcome>(this.#acked).fill(ACKED), ...this.#dead];
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
			this.#more.dead ??= [];
			this.#more.dead.push(outcome);
		}
		if (!this.isComplete) return false;
		this.#complete();
		return true;
	}

	/** How many outcomes are still to come. Negative: as long as it is not known how many have it. */
	get missing(): number {
		const settled = this.#rare?.dead === undefined ? this.#acked : this.#acked + this.#rare.dead.length;
		return this.#recipients - settled;
	}

	answered(reply: RobotMessage): void {
		this.#more.replies ??= [];
		this.#more.replies.push(reply);
		for (const { resolve } of this.#takeWaiters()) resolve(reply);
	}

	/** Nothing more comes from the bus. */
	endWaiting(error: BusError): void {
		for (const { reject } of this.#takeWaiters()) reject(error);
	}

	get #dead(): readonly DeadOutcome[] {
		return this.#rare?.dead ?? [];
	}

	get #more(): Rare {
		this.#rare ??= {};
		return this.#rare;
	}

	#complete(): void {
		if (this.#rare === undefined) return;
		const waiting = this.#rare.onComplete;
		this.#rare.onComplete = undefined;
		if (waiting !== undefined) for (const resolve of waiting) resolve();
		if (this.isDead) for (const { reject } of this.#takeWaiters()) reject(this.#notDelivered());
	}

	#wait(resolve: (reply: RobotMessage) => void, reject: (error: unknown) => void, { timeoutMs, signal }: ReplyOptions): void {
		const end = (): void => {
			this.#rare?.waiters?.delete(waiter);
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
		this.#more.waiters ??= new Set();
		if (this.isForgettable) this.#origin.remember(this);
		this.#more.waiters.add(waiter);
	}

	#takeWaiters(): readonly ReplyWaiter[] {
		return [...(this.#rare?.waiters ?? [])];
	}

	#notDelivered(): BusError {
		const [death] = this.#dead;
		const why = death?.error === undefined ? `${death?.reason}` : `${death.reason}: ${death.error.message}`;
		return new BusError(
			"not_delivered",
			`There will be no answer from ${describeValue(this.record.to)}: the message came to nothing (${why}). The dead letters of the bus hold it.`,
		);
	}

	#late(timeoutMs: number): BusError {
		const to = describeValue(this.record.to);
		return new BusError(
			"timed_out",
			`No answer from ${to} within ${timeoutMs} ms. Give it longer (timeoutMs), or see whether it answers at all.`,
		);
	}
}

type DeadOutcome = DeliveryOutcome & { readonly state: "dead" };

/** What only some messages have: most are acked, and nobody asks for them. */
interface Rare {
	message?: RobotMessage;
	dead?: DeadOutcome[];
	replies?: RobotMessage[];
	waiters?: Set<ReplyWaiter>;
	onComplete?: (() => void)[] | undefined;
}

/** Less than there can be outcomes. */
const UNKNOWN = -1;

const NO_REPLIES: readonly RobotMessage[] = Object.freeze([]);

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
