import type { Tool as McpTool, ToolAnnotations } from "@modelcontextprotocol/server";
import { Capabilities, ScriptTool } from "@robot-lab/core";
import { printable, printableLine } from "../render/printable.js";
import type { ServedTool } from "./served-skills.js";

/** A tool as `tools/list` has it. Clients show a person what it says, where nothing may be hidden. */
export function listedTool(name: string, { tool, skill, script }: ServedTool): McpTool {
	return {
		name,
		title: printableLine(`${skill.name}: ${script}`),
		description: printable(tool.description),
		inputSchema: { ...(tool.parameters as McpTool["inputSchema"]), type: "object" },
		annotations: annotationsFor(skill.capabilities),
	};
}

/** What a script can do at worst. What its bundle declares is no promise, so only a grant that it is held to counts. */
export function annotationsFor(declared: Capabilities): ToolAnnotations {
	if (ScriptTool.executor?.confines?.(declared) !== true) return { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
	const { fsWrite, network } = declared.intersect(Capabilities.ceiling());
	const changes = fsWrite.length > 0 || network;
	return { readOnlyHint: !changes, destructiveHint: changes, openWorldHint: network };
}
