import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** A tool as a model is told of it. */
export interface OfferedTool {
	readonly name: string;
	readonly description?: string;
	readonly parameters: JSONSchema7;
}

/** The tools that may be called: none, all of them, or the one that must be. Those that a provider would run are none of ours. */
export function offeredTools({ tools = [], toolChoice }: LanguageModelV4CallOptions): OfferedTool[] {
	if (toolChoice?.type === "none") return [];
	return tools.flatMap((tool) => {
		if (tool.type !== "function" || (toolChoice?.type === "tool" && toolChoice.toolName !== tool.name)) return [];
		const { name, description, inputSchema } = tool;
		return [{ name, parameters: inputSchema, ...(description !== undefined && { description }) }];
	});
}
