import type { BusError } from "../errors/bus-error.js";
import { checkNames, checkSignal, checkTimeout } from "../options/check-options.js";
import { leftBus, noAnswerWithin, notDelivered } from "./bus-errors.js";
import type { DeliveryOutcome } from "./bus-transport.js";
import type { Sender } from "./letter.js";
import { ReplyWaiters } from "./reply-waiters.js";
import { RobotMessage } from "./robot-message.js";
import type { ReplyOptions, SentMessage } from "./sent-message.js";

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
	readonly sender: Sender;
	/** Where it is in the outbox, which alone writes this. */
	place = -1;
	/** The one before it whose transport failed to take it. */
	unsentBefore: OutgoingMessage | undefined = undefined;
	/** Whether whoever sent it asked what becomes of it. */
	isAskedFor = false;
	readonly #origin: Origin;
	#recipients = UNKNOWN;
	#acked = 0;
	#rare: Rare | undefined = undefined;

	constructor(record: RobotMessage, sender: Sender, origin: Origin) {
		this.record = record;
		this.sender = sender;
		this.#origin = origin;
	}

	get message(): RobotMessage {
		this.#more.message ??= Object.freeze(new RobotMessage(this.record));
		return this.#more.message;
	}

	/** Resolved already. A method of the message itself: here V8 knows that it has no `then`, and elsewhere it looks for one with each message. */
	asPromise(): Promise<this> {
		return Promise.resolve(this);
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

	/** A recipient has handled it. */
	get isHandled(): boolean {
		return this.#acked > 0;
	}

	/** Every recipient has done with it, and none has handled it. */
	get isDead(): boolean {
		return this.#acked === 0 && this.isComplete;
	}

	/** Nobody waits for an answer, and nothing more is to be told of it. */
	get isForgettable(): boolean {
		return this.isComplete && !(this.#rare?.waiters?.isWaiting ?? false);
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
		const { timeoutMs, signal } = checkedReplyOptions(options);
		this.isAskedFor = true;
		const [first] = this.replies;
		if (first !== undefined) return first;
		const { to } = this.record;
		if (this.isDead) throw notDelivered(to, this.#dead[0]);
		if (this.#origin.end !== undefined) throw this.#origin.end;
		if (this.sender.hasLeft) throw leftBus(this.sender.name);
		signal?.throwIfAborted();
		if (timeoutMs === 0) throw noAnswerWithin(to, 0);
		if (this.isForgettable) this.#origin.remember(this);
		this.#more.waiters ??= new ReplyWaiters(() => {
			if (this.isForgettable) this.#origin.forget(this);
		});
		return this.#more.waiters.wait({ timeoutMs, signal }, (ms) => noAnswerWithin(to, ms));
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
		this.#rare?.waiters?.answered(reply);
	}

	/** Keeps the first answers only. How many are gone by that. */
	keepReplies(most: number): number {
		const replies = this.#rare?.replies ?? [];
		return replies.splice(most).length;
	}

	/** No answer comes any more. */
	endWaiting(error: BusError): void {
		this.#rare?.waiters?.fail(error);
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
		if (this.isDead) this.endWaiting(notDelivered(this.record.to, this.#dead[0]));
	}
}

type DeadOutcome = DeliveryOutcome & { readonly state: "dead" };

/** What only some messages have: most are acked, and nobody asks for them. */
interface Rare {
	message?: RobotMessage;
	dead?: DeadOutcome[];
	replies?: RobotMessage[];
	waiters?: ReplyWaiters;
	onComplete?: (() => void)[] | undefined;
}

/** Less than there can be outcomes. */
const UNKNOWN = -1;

const NO_REPLIES: readonly RobotMessage[] = Object.freeze([]);

const ACKED: DeliveryOutcome = Object.freeze({ state: "acked" });

function checkedReplyOptions(options: ReplyOptions): ReplyOptions {
	checkNames("reply()", options, ["timeoutMs", "signal"]);
	const { timeoutMs, signal } = options;
	checkTimeout(timeoutMs);
	checkSignal("reply()", signal);
	return { timeoutMs, signal };
}
