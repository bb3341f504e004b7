import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import type { Tool } from "../tool/tool.js";
import type { ResolvedRobotOptions } from "./resolve-robot-options.js";
import type { RunOptions } from "./run-options.js";
import { skillToolName } from "./tool-names.js";

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
		if (typeof tool?.name !== "string" || typeof tool.execute !== "function" || typeof tool.validate !== "function") {
			throw new ConfigurationError("localTools holds something that is no tool: make tools with createTool or ScriptTool.fromPath.");
		}
		if (byName.has(tool.name)) throw new ConfigurationError(`localTools has two tools named "${tool.name}".`);
		byName.set(tool.name, tool);
	}
	return toolSet(byName, new Map());
}

/** The local tools and those of the matched skills, narrowed to what the run asked for. */
export async function toolsForRun(
	{ local, maxTools }: Pick<ResolvedRobotOptions, "local" | "maxTools">,
	skills: readonly AgentSkill[],
	selection: RunOptions["tools"],
	run: RunPublisher,
): Promise<ToolsForRun> {
	if (selection === "none") return toolSet(new Map(), new Map());
	const all = skills.length === 0 ? local : await withSkillTools(local, skills);
	const chosen = selection === undefined || selection === "inherit" ? all : select(all, selection);
	return chosen.tools.size <= maxTools ? chosen : atMost(maxTools, chosen, run);
}

/** What comes first stays: a robot's own tools, then those of the skills that fit best. */
function atMost(maxTools: number, { tools, skillOf }: ToolsForRun, run: RunPublisher): ToolsForRun {
	const kept = [...tools].slice(0, maxTools);
	const left = [...tools.keys()].slice(maxTools);
	const message = `The model is told of ${maxTools} of ${tools.size} tools (maxTools). Left out: ${left.join(", ")}.`;
	run.tell("metadata.updated", { type: "warning", message });
	return toolSet(new Map(kept), skillOf);
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
