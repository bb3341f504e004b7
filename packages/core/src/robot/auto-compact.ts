import { ConfigurationError } from "../errors/configuration-error.js";
import { compressHistory } from "../history/compress-history.js";
import { type CompressionOptions, resolveCompression } from "../history/compression-options.js";
import type { History } from "../history/history.js";
import { historyOf } from "../history/history-of.js";
import { messagesOf } from "../history/messages-of.js";
import { type ContextRoom, estimateTokens, fullAt } from "../history/tokens.js";
import type { Message } from "../message/message.js";
import { describeValue } from "../text/describe-value.js";

/** Makes messages fewer, of its own accord: it is asked before each run, and answers with the same list where nothing is to be done. */
export type CompactMessages = (
	messages: readonly Message[],
	context: { readonly signal?: AbortSignal },
) => readonly Message[] | PromiseLike<readonly Message[]>;

/**
 * - `"none"`: a history grows until somebody makes it shorter.
 * - `"context_window"`: when it fills `compactThreshold` of `contextWindow`, it is made shorter as `robot.compressHistory()` does.
 * - options of `compressHistory()`: the same, with these.
 * - a function: what it answers is the history.
 */
export type AutoCompact = "none" | "context_window" | Omit<CompressionOptions, "signal"> | CompactMessages;

/** When a history is too long, and what then. */
export interface CompactionSettings extends ContextRoom {
	readonly autoCompact?: AutoCompact | undefined;
}

/** A history that may be too long. */
export interface CompactionInput {
	readonly history: History;
	/** The system prompt that goes before it. */
	readonly system: string;
	readonly signal: AbortSignal | undefined;
}

/** Makes histories shorter. */
export interface Compaction {
	/** Whether it is time to. */
	readonly isDue: (input: CompactionInput) => boolean;
	/** Answers with the same history where there is nothing to be done. */
	readonly compact: (input: CompactionInput) => Promise<History>;
}

/** `undefined`: never. Throws ConfigurationError for settings that cannot be meant. */
export function compactionOf({ autoCompact = "none", compactThreshold, contextWindow }: CompactionSettings): Compaction | undefined {
	const most = fullAt({ contextWindow, compactThreshold });
	if (autoCompact === "none") return undefined;
	if (typeof autoCompact === "function") return byFunction(autoCompact);
	if (autoCompact !== "context_window" && (typeof autoCompact !== "object" || autoCompact === null)) {
		throw new ConfigurationError(
			`autoCompact must be "none", "context_window", options of compressHistory() or a function, got ${describeValue(autoCompact)}.`,
		);
	}
	const options = autoCompact === "context_window" ? {} : { ...autoCompact };
	resolveCompression(options);
	return {
		isDue: ({ history, system }) => estimateTokens(history) + estimateTokens(system) >= most,
		compact: ({ history, system, signal }) =>
			compressHistory(history, { targetTokens: targetOf(most, system), ...options, ...(signal && { signal }) }),
	};
}

/** Three quarters of what sets it off, so that the next run does not do it, and pay for summaries, again. */
const targetOf = (most: number, system: string): number => Math.max(0, Math.floor(most * 0.75) - estimateTokens(system));

const byFunction = (compact: CompactMessages): Compaction => ({
	isDue: ({ history }) => history.length > 0,
	compact: async ({ history, signal }) => {
		const messages = messagesOf(history);
		const answer = await compact(messages, signal ? { signal } : {});
		return answer === messages ? history : historyOf(answer);
	},
});
