import { ConfigurationError } from "../errors/configuration-error.js";
import { type ToolSet, toolSet } from "../run/run-tools.js";
import { describeValue } from "../text/describe-value.js";
import { isTool } from "../tool/is-tool.js";
import type { Tool } from "../tool/tool.js";

/** A robot's own tools by name, described once. Throws ConfigurationError when two share a name. */
export function localTools(tools: Iterable<Tool>): ToolSet {
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
