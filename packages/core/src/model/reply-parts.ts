import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** A text cut after its words, as a model that streams would send it. */
export const deltasOf = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];

/** A block of text or reasoning, as it is streamed. */
export function blockParts(kind: "text" | "reasoning", id: string, deltas: readonly string[]): LanguageModelV4StreamPart[] {
	return [
		{ type: `${kind}-start`, id },
		...deltas.map((delta): LanguageModelV4StreamPart => ({ type: `${kind}-delta`, id, delta })),
		{ type: `${kind}-end`, id },
	];
}

/** A tool call, as it is streamed: its arguments piece by piece, then the whole. */
export function callParts(toolCallId: string, toolName: string, input: readonly string[]): LanguageModelV4StreamPart[] {
	return [
		{ type: "tool-input-start", id: toolCallId, toolName },
		...input.map((delta): LanguageModelV4StreamPart => ({ type: "tool-input-delta", id: toolCallId, delta })),
		{ type: "tool-input-end", id: toolCallId },
		{ type: "tool-call", toolCallId, toolName, input: input.join("") },
	];
}
