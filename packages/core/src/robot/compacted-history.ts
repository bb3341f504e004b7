import { ConfigurationError } from "../errors/configuration-error.js";
import type { History } from "../history/history.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { messageOf } from "../tool/error-text.js";
import { ABORTED, unlessAborted } from "./abort.js";
import type { Compaction } from "./auto-compact.js";
import type { Conversation } from "./conversation.js";

/** What a compaction works on. */
export interface CompactionSource {
	readonly conversation: Conversation;
	readonly compact: Compaction;
	readonly system: string;
	readonly signal: AbortSignal | undefined;
	readonly run: RunPublisher;
}

/**
 * The history that a run begins with: the conversation, made shorter where that is due. One that cannot be made shorter costs no answer: the run
 * goes on with all of it, and a warning. Throws ConfigurationError where a function of the programmer's made no history of it.
 */
export async function compactedHistory({ conversation, compact, system, signal, run }: CompactionSource): Promise<History> {
	const { history } = conversation;
	try {
		const compacted = await unlessAborted(compact({ history, system, signal }), signal);
		if (compacted === ABORTED || compacted === history) return history;
		conversation.shorten(history, compacted);
		run.tell("metadata.updated", { type: "compaction", messagesBefore: history.length, messagesAfter: compacted.length });
		return compacted;
	} catch (error) {
		if (ConfigurationError.isInstance(error)) throw error;
		run.tell("metadata.updated", {
			type: "warning",
			message: `The history could not be made shorter, the run goes on with all of it: ${messageOf(error)}`,
		});
		return history;
	}
}
