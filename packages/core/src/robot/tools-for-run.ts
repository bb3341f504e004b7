import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { didYouMean } from "../text/nearest-names.js";
import type { Tool } from "../tool/tool.js";
import type { RunOptions } from "./robot-options.js";
import { skillToolName } from "./tool-names.js";

/** The tools of one run. Made for it and dropped with it: nothing is put on the robot, so nothing has to be taken off again. */
export interface ToolsForRun {
	readonly tools: ReadonlyMap<string, Tool>;
	readonly skillOf: ReadonlyMap<string, string>;
	/** The same as the model is told of them; absent when there are none. */
	readonly described?: LanguageModelV4FunctionTool[];
}

/** A robot's own tools by name, described once. Throws ConfigurationError when two share a name. */
export function localTools(tools: readonly Tool[]): ToolsForRun {
	const byName = new Map<string, Tool>();
	for (const tool of tools) {
		if (typeof tool?.name !== "string" || typeof tool.execute !== "function" || typeof tool.validate !== "function") {
			throw new ConfigurationError("localTools holds something that is no tool: make tools with createTool or ScriptTool.fromPath.");
		}
		if (byName.has(tool.name)) throw new ConfigurationError(`localTools has two tools named "${tool.name}".`);
		byName.set(tool.name, tool);
	}
	return toolSet(byName, new Map());
}

/** The local tools and those of the matched skills, narrowed to what the run asked for. */
export async function toolsForRun(local: ToolsForRun, skills: readonly AgentSkill[], selection: RunOptions["tools"]): Promise<ToolsForRun> {
	if (selection === "none") return toolSet(new Map(), new Map());
	const all = skills.length === 0 ? local : await withSkillTools(local, skills);
	return selection === undefined || selection === "inherit" ? all : select(all, selection);
}

async function withSkillTools(local: ToolsForRun, skills: readonly AgentSkill[]): Promise<ToolsForRun> {
	const tools = new Map(local.tools);
	const skillOf = new Map<string, string>();
	for (const skill of skills) {
		for (const tool of await skill.scriptTools()) {
			const name = skillToolName(skill.name, tool.name, tools);
			tools.set(name, tool);
			skillOf.set(name, skill.name);
		}
	}
	return toolSet(tools, skillOf);
}

function select({ tools, skillOf }: ToolsForRun, names: readonly string[]): ToolsForRun {
	const chosen = new Map<string, Tool>();
	for (const name of names) {
		const tool = tools.get(name);
		if (tool === undefined) throw unknownTool(name, tools);
		chosen.set(name, tool);
	}
	return toolSet(chosen, skillOf);
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): ConfigurationError {
	const hint = didYouMean(name, tools.keys());
	const known = tools.size === 0 ? "It has none." : `It has ${[...tools.keys()].join(", ")}.`;
	return new ConfigurationError(`run() was given the tool name "${name}", which this robot does not have.${hint} ${known}`);
}

function toolSet(tools: ReadonlyMap<string, Tool>, skillOf: ReadonlyMap<string, string>): ToolsForRun {
	if (tools.size === 0) return { tools, skillOf };
	return { tools, skillOf, described: [...tools].map(([name, tool]) => describe(name, tool)) };
}

const describe = (name: string, tool: Tool): LanguageModelV4FunctionTool => ({
	type: "function",
	name,
	description: tool.description,
	inputSchema: tool.parameters,
});
