import type { Attempt } from "./attempt.js";
import type { BusLog } from "./bus-log.js";
import type { ResolvedBusOptions } from "./bus-options.js";
import type { EventLoopTurn } from "./event-loop-turn.js";
import type { Sender } from "./letter.js";
import type { OpenWork } from "./open-work.js";
import type { SentMessage } from "./sent-message.js";

/** What a mailbox has of its bus. */
export interface MailboxPorts<Mailbox> {
	readonly options: ResolvedBusOptions;
	readonly turn: EventLoopTurn;
	readonly work: OpenWork;
	readonly log: BusLog | undefined;
	/** Calls `work()` of the mailbox behind what goes on. */
	wake(mailbox: Mailbox): void;
	/** It has left, and its last message came to its end. */
	gone(mailbox: Mailbox): void;
	/** @param onRefused Called with what the content is refused with. */
	reply(from: Sender, attempt: Attempt, content: unknown, onRefused: (error: unknown) => void): Promise<SentMessage>;
	/** Answers without waiting for room. Throws, or rejects, where the content is none. An attempt that nobody waits for by the time it is checked has no answer. */
	answer(from: Mailbox, attempt: Attempt, content: unknown): undefined | Promise<void>;
}
