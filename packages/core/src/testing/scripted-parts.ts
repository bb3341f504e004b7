import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ScriptedReply, ScriptedToolCall } from "./scripted-reply.js";

/** The stream parts of a scripted reply, in the order a provider sends them. */
export function partsOf(reply: ScriptedReply, nextId: () => string): LanguageModelV4StreamPart[] {
	const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
	if (reply.reasoning !== undefined) parts.push(...block("reasoning", "reasoning-1", [reply.reasoning]));
	if (reply.text !== undefined) parts.push(...block("text", "text-1", deltasOf(reply.text)));
	for (const call of reply.toolCalls ?? []) parts.push(toolCall(call, nextId));
	parts.push(...(reply.parts ?? []));
	if (reply.error !== undefined) return [...parts, { type: "error", error: reply.error }];
	if (reply.finishReason !== null && !reply.hang) parts.push(finish(reply));
	return parts;
}

function block(kind: "text" | "reasoning", id: string, deltas: readonly string[]): LanguageModelV4StreamPart[] {
	return [
		{ type: `${kind}-start`, id },
		...deltas.map((delta): LanguageModelV4StreamPart => ({ type: `${kind}-delta`, id, delta })),
		{ type: `${kind}-end`, id },
	];
}

const deltasOf = (text: string | readonly string[]): readonly string[] =>
	typeof text === "string" ? (text.match(/\S+\s*|\s+/g) ?? []) : text;

function toolCall(call: ScriptedToolCall, nextId: () => string): LanguageModelV4StreamPart {
	const input = call.input ?? JSON.stringify(call.args ?? {});
	return { type: "tool-call", toolCallId: call.id ?? nextId(), toolName: call.name, input };
}

function finish(reply: ScriptedReply): LanguageModelV4StreamPart {
	const unified: LanguageModelV4FinishReason["unified"] = reply.finishReason ?? (reply.toolCalls?.length ? "tool-calls" : "stop");
	return { type: "finish", finishReason: { unified, raw: unified }, usage: usageOf(reply.usage) };
}

function usageOf(usage: ScriptedReply["usage"]): LanguageModelV4Usage {
	// servers that report no usage leave it out although the type requires it
	if (usage === null) return undefined as unknown as LanguageModelV4Usage;
	const { inputTokens, outputTokens } = usage ?? { inputTokens: 10, outputTokens: 5 };
	return {
		inputTokens: { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
		outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
	};
}
