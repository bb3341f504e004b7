import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { isTool } from "../tool/is-tool.js";
import type { Tool } from "../tool/tool.js";

/** The tools of one run. Made for it and dropped with it: nothing is put on the robot, so nothing has to be taken off again. */
export interface ToolsForRun {
	readonly tools: ReadonlyMap<string, Tool>;
	readonly skillOf: ReadonlyMap<string, string>;
	/** The same as the model is told of them; absent when there are none. */
	readonly described?: LanguageModelV4FunctionTool[];
}

/** A robot's own tools by name, described once. Throws ConfigurationError when two share a name. */
export function localTools(tools: Iterable<Tool>): ToolsForRun {
	if (typeof tools !== "object" || tools === null || !(Symbol.iterator in tools)) {
		throw new ConfigurationError(`localTools must be a list of tools, got ${describeValue(tools)}. For one tool write localTools: [tool].`);
	}
	const byName = new Map<string, Tool>();
	for (const tool of tools) {
		if (!isTool(tool)) {
			throw new ConfigurationError("localTools holds something that is no tool: make tools with createTool or ScriptTool.fromPath.");
		}
		if (byName.has(tool.name)) throw new ConfigurationError(`localTools has two tools named "${tool.name}".`);
		byName.set(tool.name, tool);
	}
	return toolSet(byName, new Map());
}

/** Tools with what the model is told of them. */
export function toolSet(tools: ReadonlyMap<string, Tool>, skillOf: ReadonlyMap<string, string>): ToolsForRun {
	if (tools.size === 0) return { tools, skillOf };
	return { tools, skillOf, described: [...tools].map(([name, tool]) => describe(name, tool)) };
}

const describe = (name: string, tool: Tool): LanguageModelV4FunctionTool => ({
	type: "function",
	name,
	description: tool.description,
	inputSchema: tool.parameters,
	...(tool.strict !== undefined && { strict: tool.strict }),
});
