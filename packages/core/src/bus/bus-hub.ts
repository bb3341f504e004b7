import { BusError } from "../errors/bus-error.js";
import { type FailureWarning, failureReport } from "../stream/failure-report.js";
import type { Attempt } from "./attempt.js";
import { nobodyWithin } from "./bus-errors.js";
import { BusLog } from "./bus-log.js";
import type { ResolvedBusOptions } from "./bus-options.js";
import { BusStatistics } from "./bus-statistics.js";
import type { BusConnection, BusListener, DeliveryOutcome } from "./bus-transport.js";
import type { ChannelContents } from "./channel-content.js";
import { DeadLetterBox } from "./dead-letters.js";
import { EventLoopTurn } from "./event-loop-turn.js";
import type { Sender } from "./letter.js";
import { Mailbox } from "./mailbox.js";
import type { MailboxPorts } from "./mailbox-ports.js";
import { OpenWork } from "./open-work.js";
import type { Outbox } from "./outbox.js";
import { type MailPorts, OutgoingMail } from "./outgoing-mail.js";
import type { OutgoingMessage } from "./outgoing-message.js";
import { type MessageRecord, messageKey } from "./robot-message.js";
import { type WaitOptions, withinLimits } from "./time-limit.js";

/** A bus from inside: its connection, the mailboxes of its members, and what was sent from it. */
export class BusHub implements BusListener, MailPorts, MailboxPorts<Mailbox> {
	readonly options: ResolvedBusOptions;
	readonly turn: EventLoopTurn = new EventLoopTurn();
	readonly work: OpenWork = new OpenWork();
	readonly statistics: BusStatistics = new BusStatistics();
	readonly deadLetters: DeadLetterBox;
	readonly connection: BusConnection;
	readonly log: BusLog | undefined;
	readonly mail: OutgoingMail;
	readonly #mailboxes: Map<string, Set<Mailbox>> = new Map();
	#woken: Mailbox[] = [];
	#end: BusError | undefined;
	#closing: Promise<void> | undefined;

	readonly #report: (error: unknown) => void = failureReport(undefined, CLOSING_FAILED);

	/** Throws what the transport fails with as it connects, and ConfigurationError where the run above is none, or over. */
	constructor(options: ResolvedBusOptions) {
		this.options = options;
		this.deadLetters = new DeadLetterBox(options.maxDeadLetters, (action) => this.turn.atEnd(action));
		this.mail = new OutgoingMail(this);
		this.connection = options.transport.connect(this);
		try {
			this.log = BusLog.of(options, () => void this.close().catch(this.#report));
		} catch (error) {
			void this.close().catch(this.#report);
			throw error;
		}
	}

	get contents(): ChannelContents {
		return this.options.contents;
	}

	/** Why nothing comes or goes any more. */
	get end(): BusError | undefined {
		return this.#end;
	}

	/** Of those who joined here and have not left, sorted. */
	get names(): readonly string[] {
		const isThere = (mailboxes: ReadonlySet<Mailbox>): boolean => [...mailboxes].some(({ hasLeft }) => !hasLeft);
		return [...this.#mailboxes]
			.filter(([, mailboxes]) => isThere(mailboxes))
			.map(([name]) => name)
			.sort();
	}

	*outboxesOf(name: string): Iterable<Outbox> {
		for (const { outbox } of this.#mailboxes.get(name) ?? []) yield outbox;
	}

	join(name: string, outbox: Outbox): Mailbox {
		if (this.#end !== undefined) throw this.#end;
		outbox.limit(this.options.maxOutbox);
		const mailbox = new Mailbox(name, outbox, this.statistics.joined(name), this);
		this.#mailboxes.set(name, (this.#mailboxes.get(name) ?? new Set()).add(mailbox));
		const { ready } = mailbox.subscribe((queue) => this.connection.subscribe(name, queue));
		if (ready === undefined) return mailbox;
		this.work.begin();
		const end = (): void => this.work.end();
		ready.then(end, end); // where the connection ended, that is told otherwise
		return mailbox;
	}

	reply(
		from: Sender,
		{ transport: { message } }: Attempt,
		content: unknown,
		onRefused: (error: unknown) => void,
	): Promise<OutgoingMessage> {
		return this.mail.send(from, { to: message.from, content, inReplyTo: messageKey(message), onRefused });
	}

	answer(from: Mailbox, attempt: Attempt, content: unknown): undefined | Promise<void> {
		const { message } = attempt.transport;
		return this.mail.answer(from, { to: message.from, content, inReplyTo: messageKey(message) }, () => from.waitsFor(attempt));
	}

	/** Resolves when somebody has the name, here or elsewhere. */
	async untilJoined(name: string, limits: WaitOptions): Promise<void> {
		if (this.#end !== undefined) throw this.#end;
		await withinLimits(
			limits,
			(ms) => nobodyWithin(name, ms),
			(signal) => this.connection.untilSubscribed(name, signal),
		);
	}

	idle(): Promise<void> {
		this.mail.tidy();
		return this.work.idle();
	}

	wake(mailbox: Mailbox): void {
		// costs less than a microtask of its own. First, so that one who runs out of stack in here holds up no other
		if (this.#woken.length === 0) SOON.then(this.#workAll);
		this.#woken.push(mailbox);
	}

	gone(mailbox: Mailbox): void {
		const others = this.#mailboxes.get(mailbox.name);
		if (!others?.delete(mailbox) || others.size > 0) return;
		this.#mailboxes.delete(mailbox.name);
		this.statistics.left(mailbox.name);
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	// What the connection tells

	onSettled(messageId: string, outcome: DeliveryOutcome): void {
		this.mail.sent.settled(messageId, outcome);
	}

	onWaiting(messageId: string): void {
		this.mail.sent.waits(messageId);
	}

	onReply(message: MessageRecord): void {
		this.mail.sent.answered(message);
	}

	onLost(reason: string): void {
		if (this.#end !== undefined) return;
		const lost = new BusError("connection_lost", `The connection of the bus is lost: ${reason}. Make a new bus, and join it.`);
		this.#shut("lost", lost);
		this.mail.giveUp(lost);
		this.log?.end({ code: lost.code, message: lost.message });
	}

	async #close(): Promise<void> {
		const closed = new BusError("closed", "The bus is closed: nothing can be sent any more. Make a new one, and join it.");
		if (this.#end === undefined) this.#shut("closed", closed);
		try {
			await this.connection.close();
		} finally {
			this.mail.giveUp(closed);
			this.log?.end(undefined);
		}
	}

	#shut(reason: "closed" | "lost", error: BusError): void {
		this.#end = error;
		for (const mailbox of [...this.#mailboxes.values()].flatMap((mailboxes) => [...mailboxes])) {
			try {
				mailbox.close(reason, error);
			} catch (failure) {
				this.#report(failure);
			}
		}
	}

	readonly #workAll = (): void => {
		const woken = this.#woken;
		this.#woken = [];
		for (const mailbox of woken) mailbox.work();
	};
}

const CLOSING_FAILED: FailureWarning = {
	what: "The transport of a bus failed as the bus was closed, which is closed all the same",
	code: "ROBOT_LAB_BUS_FAILED",
};

const SOON: Promise<void> = Promise.resolve();
