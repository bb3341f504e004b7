import type { LanguageModelV4CallOptions, SharedV4Warning } from "@ai-sdk/provider";

const MODEL_SETTINGS = ["maxOutputTokens", "temperature", "stopSequences", "topP", "topK", "presencePenalty", "frequencyPenalty"] as const;

/**
 * What a call asks for that only a language model can do. A `seed` is heeded: the answer is the same every time. Headers and the options of
 * providers are not for this model.
 */
export function offlineWarnings(options: LanguageModelV4CallOptions): SharedV4Warning[] {
	const { responseFormat, reasoning, tools = [], prompt } = options;
	const warnings: SharedV4Warning[] = MODEL_SETTINGS.filter((name) => options[name] !== undefined).map(unsupported);
	if (responseFormat?.type === "json") warnings.push(unsupported("responseFormat"));
	if (reasoning !== undefined && reasoning !== "none" && reasoning !== "provider-default") warnings.push(unsupported("reasoning"));
	for (const tool of tools) if (tool.type === "provider") warnings.push(unsupported(`provider-defined tool ${tool.id}`));
	if (prompt.some(({ role, content }) => role === "user" && content.some(({ type }) => type === "file")))
		warnings.push(unsupported("files"));
	return warnings;
}

const unsupported = (feature: string): SharedV4Warning => ({ type: "unsupported", feature });
