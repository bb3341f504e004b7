import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from "@ai-sdk/provider";

const NO_USAGE: LanguageModelV4GenerateResult["usage"] = {
	inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
	outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** The same reply as `doGenerate` gives it: blocks put together, the finish part on top. */
export function generateResultOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4GenerateResult {
	const content: LanguageModelV4Content[] = [];
	const texts = new Map<string, { type: "text" | "reasoning"; text: string }>();
	let result: LanguageModelV4GenerateResult = {
		content,
		finishReason: { unified: "other", raw: undefined },
		usage: NO_USAGE,
		warnings: [],
	};
	for (const part of parts) {
		if (part.type === "text-start" || part.type === "reasoning-start") {
			const block = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
			texts.set(part.id, block);
			content.push(block);
		} else if (part.type === "text-delta" || part.type === "reasoning-delta") {
			const block = texts.get(part.id);
			if (block) block.text += part.delta;
		} else if (part.type === "tool-call") content.push(part);
		else if (part.type === "finish") result = { ...result, finishReason: part.finishReason, usage: part.usage };
	}
	return result;
}
