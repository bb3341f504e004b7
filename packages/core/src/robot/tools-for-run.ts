import { config } from "../config/configure.js";
import { type CascadeChoice, cascade, chosenNames } from "../options/cascade.js";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { skillToolName } from "../skill-tool/skill-tool-name.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { Tool } from "../tool/tool.js";
import { type ToolsForRun, toolSet } from "./local-tools.js";
import type { ResolvedRobotOptions } from "./resolve-robot-options.js";
import type { RobotSetup } from "./robot-setup.js";
import type { RunOptions } from "./run-options.js";

const NO_TOOLS: ToolsForRun = { tools: new Map(), skillOf: new Map() };

/** What the tools of a run are chosen from, and by whom. */
export interface ToolSources {
	readonly setup: RobotSetup;
	/** With the model keys of the templates that are used. */
	readonly robot: ResolvedRobotOptions;
	readonly skills: readonly AgentSkill[];
	readonly message: string;
	readonly options: RunOptions;
	readonly run: RunPublisher;
}

/**
 * The robot's own tools, those of the matched skills and of its MCP servers, narrowed to what run, robot, task, network or configuration choose.
 * Where no tools are wanted no server is asked.
 */
export async function toolsForRun({ setup, robot, skills, message, options, run }: ToolSources): Promise<ToolsForRun> {
	const { task, network } = options.inherited ?? {};
	const selections = { run: options.tools, robot: robot.tools, task: task?.tools, network: network?.tools, config: config().tools };
	const said = cascade("tools", selections);
	if (said.choice === "none") return NO_TOOLS;
	const known = skills.length === 0 ? robot.local : await withSkillTools(robot.local, skills);
	const { signal, mcp } = options;
	const offered = await unlessAborted(
		setup.mcp.tools({
			run: mcp,
			task: task?.mcp,
			network: network?.mcp,
			about: robot.mcpDiscovery ? message : undefined,
			taken: known.tools.keys(),
			...(signal && { signal }),
		}),
		signal,
	);
	if (offered === ABORTED) return NO_TOOLS;
	const all = offered.tools.length === 0 ? known : withTools(known, offered.tools);
	// a robot is named tools of skills that another message matches, and of servers that may be down: what is not there now is no mistake
	const mayBeThere = !offered.isWhole || (said.from === "robot" && setup.skills !== undefined);
	const chosen = said.choice === "all" ? all : select(all, mayBeThere ? { choice: said.choice } : said, robot.name);
	return chosen.tools.size <= robot.maxTools ? chosen : atMost(robot.maxTools, chosen, run);
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

const withTools = ({ tools, skillOf }: ToolsForRun, more: readonly Tool[]): ToolsForRun =>
	toolSet(new Map([...tools, ...more.map((tool) => [tool.name, tool] as const)]), skillOf);

function select({ tools, skillOf }: ToolsForRun, choice: CascadeChoice, robotName: string): ToolsForRun {
	const names = chosenNames(choice, { setting: "tools", robotName, known: tools.keys() });
	return toolSet(new Map(names.flatMap((name) => entryOf(tools, name))), skillOf);
}

function entryOf(tools: ReadonlyMap<string, Tool>, name: string): readonly (readonly [string, Tool])[] {
	const tool = tools.get(name);
	return tool === undefined ? [] : [[name, tool]];
}
