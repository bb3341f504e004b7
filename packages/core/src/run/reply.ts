import type { LanguageModelV4FinishReason, LanguageModelV4Message, LanguageModelV4Usage } from "@ai-sdk/provider";
import { isBlank } from "../history/acceptable-message.js";
import type { StopReason } from "../message/stop-reason.js";
import type { ParsedToolInput } from "../tool/parse-tool-input.js";

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

/** A part of the assistant's message, as it goes back to the model. */
export type ReplyPart = AssistantMessage["content"][number];

/** A call for us to make. */
export interface RequestedCall {
	readonly id: string;
	readonly name: string;
	/** As the model wrote them, frozen: history, listeners and results hold the same. */
	readonly args: ParsedToolInput;
	/** The text they were read from. Whoever may change them reads it anew. */
	readonly text: string;
}

/** One reply of the model, read from its stream. Filled while the stream is read, its texts when that is over. */
export interface Reply {
	/** All text, block by block. There once the reply is closed. */
	text: string;
	/** Blocks, calls and the provider's own tool results, in order. */
	readonly content: ReplyPart[];
	readonly calls: RequestedCall[];
	readonly warnings: string[];
	/** Absent when the stream ended without a finish part. */
	finishReason: LanguageModelV4FinishReason["unified"] | undefined;
	usage: LanguageModelV4Usage | undefined;
	/** The caller ended it before the model did. */
	aborted: boolean;
}

export const emptyReply = (): Reply => ({
	text: "",
	content: [],
	calls: [],
	warnings: [],
	finishReason: undefined,
	usage: undefined,
	aborted: false,
});

/** Whether the model ended the reply itself, so that its calls are meant and may be made. */
export function isWhole(reply: Reply): boolean {
	const { finishReason } = reply;
	return (
		!reply.aborted &&
		finishReason !== undefined &&
		finishReason !== "interrupted" &&
		finishReason !== "error" &&
		finishReason !== "content-filter"
	);
}

export function stopReasonOf(reply: Reply): StopReason {
	if (reply.aborted) return "aborted";
	if (reply.finishReason === "content-filter") return "content_filter";
	if (reply.finishReason === "tool-calls") return "other";
	return reply.finishReason ?? "interrupted";
}

/** The content that may stand in the history: of a reply that was cut only its text, for a call without a result is refused by providers. */
export function keptContent(reply: Reply): ReplyPart[] {
	if (isWhole(reply)) return reply.content.filter((part) => part.type !== "text" || !isBlank(part.text));
	return reply.content.filter((part) => part.type === "text" && !isBlank(part.text));
}
