import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** One tool call of a scripted reply. */
export interface ScriptedToolCall {
	readonly name: string;
	readonly args?: unknown;
	/** The arguments as raw text, for what is no JSON; a list is streamed piece by piece. Wins over `args`. */
	readonly input?: string | readonly string[];
	/** Default: `call-<n>`, counted over the whole model. */
	readonly id?: string;
}

/** The tokens of a scripted reply. The cached ones are part of the input, those of reasoning part of the output. */
export interface ScriptedUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** Default: not reported. */
	readonly cachedTokens?: number;
	/** Default: not reported. */
	readonly reasoningTokens?: number;
}

/** One reply, written down. */
export interface ScriptedReply {
	/** A string is split into words, an array is taken delta by delta. */
	readonly text?: string | readonly string[];
	readonly reasoning?: string;
	readonly toolCalls?: readonly ScriptedToolCall[];
	/** Default: `tool-calls` when there are any, else `stop`. `null` leaves the finish part out, as a stream that was cut does. */
	readonly finishReason?: LanguageModelV4FinishReason["unified"] | null;
	/** Default 10 in and 5 out. `null` leaves the usage out, as some servers do. */
	readonly usage?: ScriptedUsage | null;
	/** An error part that ends the stream after what comes before it. */
	readonly error?: unknown;
	/** Waits before the first part. An abort ends the wait. */
	readonly delayMs?: number;
	/** Never ends after its parts, until it is aborted. */
	readonly hang?: boolean;
	/** Stream parts put in front of the finish part, as they are. */
	readonly parts?: readonly LanguageModelV4StreamPart[];
}

/** A reply, its text alone, an error that the call itself fails with, or a function that decides when it is called. */
export type ScriptedRound =
	| string
	| ScriptedReply
	| Error
	| ((options: LanguageModelV4CallOptions) => ScriptedRound | Promise<ScriptedRound>);
