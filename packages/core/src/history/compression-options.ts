import { ConfigurationError } from "../errors/configuration-error.js";
import { checkCount, checkShare } from "../options/check-numbers.js";
import { checkNames, isSignal } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";

/**
 * Says in fewer words what a turn was about. Blank: the turn is left out. What it throws or rejects with ends the compression, and the history
 * stays as it was.
 *
 * @param text Who said what, with calls and results. Of a turn longer than 100,000 characters its beginning and its end.
 * @param context.signal The signal that ends the compression, where it has one.
 */
export type Summarize = (text: string, context: { readonly signal?: AbortSignal }) => string | PromiseLike<string>;

/** How a history is made shorter. */
export interface CompressionOptions {
	/** How many of the last turns stay as they are and say what the conversation is about now. 1 or more, default 3. */
	readonly recentTurns?: number;
	/** The likeness to the recent turns from which an older one stays as it is, 0 to 1. Default 0.6. */
	readonly keepThreshold?: number;
	/** The likeness below which an older turn is left out, 0 to 1, less than `keepThreshold`. Default 0.2. */
	readonly dropThreshold?: number;
	/**
	 * The most tokens that the shorter history may have, by `estimateTokens`. Where it would have more, older turns that would stay are
	 * treated as those between the thresholds, the least alike first; at last summaries go, too. Recent turns stay in any case. Default: no limit.
	 */
	readonly targetTokens?: number;
	/** Makes the summary of a turn that lies between. Default: such a turn is left out, too. */
	readonly summarize?: Summarize;
	/** Ends the compression at any moment: it rejects with the signal's reason, and the history stays as it was. Default: none. */
	readonly signal?: AbortSignal | undefined;
}

/** The options with their defaults. */
export interface Compression {
	readonly recentTurns: number;
	readonly keepThreshold: number;
	readonly dropThreshold: number;
	/** Infinity where there is no limit. */
	readonly targetTokens: number;
	readonly summarize: Summarize;
	readonly signal: AbortSignal | undefined;
}

const NAMES: Readonly<Record<keyof CompressionOptions, true>> = {
	recentTurns: true,
	keepThreshold: true,
	dropThreshold: true,
	targetTokens: true,
	summarize: true,
	signal: true,
};

/** Throws ConfigurationError for options that cannot be meant. */
export function resolveCompression(options: CompressionOptions): Compression {
	checkNames("compressHistory()", options, Object.keys(NAMES));
	const { recentTurns = 3, keepThreshold = 0.6, dropThreshold = 0.2, targetTokens, summarize = leaveOut, signal } = options;
	checkCount("recentTurns", recentTurns, 1);
	checkShare("keepThreshold", keepThreshold);
	checkShare("dropThreshold", dropThreshold);
	if (targetTokens !== undefined) checkCount("targetTokens", targetTokens, 0);
	if (keepThreshold <= dropThreshold) {
		throw new ConfigurationError(
			`keepThreshold (${keepThreshold}) must be more than dropThreshold (${dropThreshold}): between them lies what is summarized.`,
		);
	}
	if (typeof summarize !== "function") {
		throw new ConfigurationError(`summarize must be a function, got ${describeValue(summarize)}.`);
	}
	if (signal !== undefined && !isSignal(signal)) {
		throw new ConfigurationError(`signal must be an AbortSignal, got ${describeValue(signal)}.`);
	}
	return { recentTurns, keepThreshold, dropThreshold, targetTokens: targetTokens ?? Number.POSITIVE_INFINITY, summarize, signal };
}

const leaveOut: Summarize = () => "";
