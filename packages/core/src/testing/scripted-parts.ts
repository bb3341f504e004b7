import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { blockParts, callParts, deltasOf } from "../model/reply-parts.js";
import type { ScriptedReply, ScriptedToolCall } from "./scripted-reply.js";

/** The stream parts of a scripted reply, in the order a provider sends them. */
export function partsOf(reply: ScriptedReply, nextId: () => string): LanguageModelV4StreamPart[] {
	const parts: LanguageModelV4StreamPart[] = [
		{ type: "stream-start", warnings: [] },
		{ type: "response-metadata", modelId: "scripted" },
	];
	if (reply.reasoning !== undefined) parts.push(...blockParts("reasoning", "reasoning-1", [reply.reasoning]));
	if (reply.text !== undefined)
		parts.push(...blockParts("text", "text-1", typeof reply.text === "string" ? deltasOf(reply.text) : reply.text));
	for (const call of reply.toolCalls ?? []) parts.push(...callParts(call.id ?? nextId(), call.name, inputOf(call)));
	parts.push(...(reply.parts ?? []));
	if (reply.error !== undefined) return [...parts, { type: "error", error: reply.error }];
	if (reply.finishReason !== null && !reply.hang) parts.push(finish(reply));
	return parts;
}

function inputOf({ input, args = {} }: ScriptedToolCall): readonly string[] {
	if (input === undefined) return [JSON.stringify(args)];
	return typeof input === "string" ? [input] : input;
}

function finish(reply: ScriptedReply): LanguageModelV4StreamPart {
	const unified: LanguageModelV4FinishReason["unified"] = reply.finishReason ?? (reply.toolCalls?.length ? "tool-calls" : "stop");
	return { type: "finish", finishReason: { unified, raw: unified }, usage: usageOf(reply.usage) };
}

function usageOf(usage: ScriptedReply["usage"]): LanguageModelV4Usage {
	// servers that report no usage leave it out although the type requires it
	if (usage === null) return undefined as unknown as LanguageModelV4Usage;
	const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage ?? { inputTokens: 10, outputTokens: 5 };
	return {
		inputTokens: { total: inputTokens, noCache: restOf(inputTokens, cachedTokens), cacheRead: cachedTokens, cacheWrite: undefined },
		outputTokens: { total: outputTokens, text: restOf(outputTokens, reasoningTokens), reasoning: reasoningTokens },
	};
}

const restOf = (total: number, part: number | undefined): number | undefined => (part === undefined ? undefined : total - part);
