import { ConfigurationError } from "../errors/configuration-error.js";
import type { History } from "../history/history.js";
import { historyOf } from "../history/history-of.js";
import { messagesOf } from "../history/messages-of.js";
import type { HookChain } from "../hook/hook-chain.js";
import type { Message } from "../message/message.js";
import { untilAborted } from "../process/until-aborted.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { messageOf } from "../text/message-of.js";
import type { Compaction } from "./auto-compact.js";
import type { Conversation } from "./conversation.js";

/** What a compaction works on. */
export interface CompactionSource {
	readonly conversation: Conversation;
	readonly compaction: Compaction;
	readonly hooks: HookChain | undefined;
	readonly system: string;
	readonly signal: AbortSignal | undefined;
	readonly run: RunPublisher;
}

/**
 * The history that a run begins with: the conversation, made shorter where that is due. One that cannot be made shorter costs no answer: the run
 * goes on with all of it, and a warning. Throws ConfigurationError where a function of the programmer's made no history of it.
 */
export async function compactedHistory({ conversation, compaction, hooks, system, signal, run }: CompactionSource): Promise<History> {
	const { history } = conversation;
	const input = { history, system, signal };
	if (!compaction.isDue(input)) return history;
	try {
		// the compaction alone is given up at once: hooks around it have their time to end
		const compact = async (): Promise<History> => {
			signal?.throwIfAborted();
			return untilAborted(compaction.compact(input), signal);
		};
		const compacted = await compactWithHooks(history, compact, hooks);
		if (compacted === history) return history;
		if (conversation.shorten(history, compacted)) {
			run.tell("metadata.updated", { type: "compaction", messagesBefore: history.length, messagesAfter: compacted.length });
		}
		return compacted;
	} catch (error) {
		if (ConfigurationError.isInstance(error)) throw error;
		// given up, and no failure of its own
		if (signal?.aborted) return history;
		run.tell("metadata.updated", {
			type: "warning",
			message: `The history could not be made shorter, the run goes on with all of it: ${messageOf(error)}`,
		});
		return history;
	}
}

/** A shorter history, with hooks around its making. */
export async function compactWithHooks(history: History, compact: () => Promise<History>, hooks: HookChain | undefined): Promise<History> {
	if (!hooks?.has("compaction")) return compact();
	let made: { readonly history: History; readonly messages: readonly Message[] } | undefined;
	const messages = await hooks.run("compaction", { messages: messagesOf(history) }, async () => {
		const compacted = await compact();
		made = { history: compacted, messages: messagesOf(compacted) };
		return made.messages;
	});
	// what only the provider reads of it is not in messages
	return messages === made?.messages ? made.history : historyOf(messages);
}
