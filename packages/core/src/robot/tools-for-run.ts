import type { ApprovalOptions } from "../approval/approval-options.js";
import { config } from "../config/configure.js";
import { type CascadeChoice, cascade, chosenNames } from "../options/cascade.js";
import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import { RunTools, type ToolSet, toolSet } from "../run/run-tools.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { skillTools } from "../skill-tool/skill-tools.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import type { Tool } from "../tool/tool.js";
import type { ResolvedRobotOptions } from "./resolve-robot-options.js";
import type { RobotSetup } from "./robot-setup.js";
import type { RunOptions } from "./run-options.js";
import { tellShortcomings } from "./tell-shortcomings.js";
import { toolsAboutSkills } from "./tools-about-skills.js";

const NO_TOOLS: ToolSet = { tools: new Map(), skillOf: new Map() };

/** What the tools of a run are chosen from, and by whom. */
export interface ToolSources {
	readonly setup: RobotSetup;
	/** With the model keys of the templates that are used. */
	readonly robot: ResolvedRobotOptions;
	/** Those whose instructions are in the prompt. */
	readonly skills: readonly AgentSkill[];
	/** Those that the model may load. */
	readonly offered: readonly AgentSkill[];
	readonly message: string;
	readonly options: RunOptions;
	readonly run: RunPublisher;
}

/**
 * The robot's own tools, those of the skills that fit and of its MCP servers, narrowed to what run, robot, task, network or configuration choose.
 * Where no tools are wanted no server is asked.
 */
export async function toolsForRun(sources: ToolSources): Promise<RunTools> {
	const { setup, robot, message, options, run } = sources;
	const { task, network } = options.inherited ?? {};
	const selections = { run: options.tools, robot: robot.tools, task: task?.tools, network: network?.tools, config: config().tools };
	const said = cascade("tools", selections);
	if (said.choice === "none") return new RunTools(NO_TOOLS);
	const isChosen = (name: string): boolean => said.choice === "all" || said.choice.includes(name);
	// filled in below: a tool that loads a skill adds to the very tools that it is one of
	let tools: RunTools | undefined;
	const load = (skill: AgentSkill): Promise<readonly string[]> =>
		addSkill({ skill, tools: tools as RunTools, isChosen, maxTools: robot.maxTools, approval: setup.made.approval, run });
	const known = await withSkills(robot.local, sources, load);
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
	if (offered === ABORTED) return new RunTools(NO_TOOLS);
	const all = offered.tools.length === 0 ? known : withTools(known, offered.tools);
	// a robot is named tools of skills that another message matches, and of servers that may be down: what is not there now is no mistake
	const mayBeThere = !offered.isWhole || sources.offered.length > 0 || (said.from === "robot" && setup.skills !== undefined);
	const chosen = said.choice === "all" ? all : select(all, mayBeThere ? { choice: said.choice } : said, robot.name);
	tools = new RunTools(chosen.tools.size <= robot.maxTools ? chosen : atMost(robot.maxTools, chosen, run));
	return tools;
}

/** What comes first stays: a robot's own tools, then those of the skills that fit best. */
function atMost(maxTools: number, { tools, skillOf }: ToolSet, run: RunPublisher): ToolSet {
	const kept = [...tools].slice(0, maxTools);
	tellLeftOut(maxTools, tools.size, [...tools.keys()].slice(maxTools), run);
	return toolSet(new Map(kept), skillOf);
}

function tellLeftOut(maxTools: number, all: number, names: readonly string[], run: RunPublisher): void {
	const message = `The model is told of ${maxTools} of ${all} tools (maxTools). Left out: ${names.join(", ")}.`;
	run.tell("metadata.updated", { type: "warning", message });
}

async function withSkills(
	local: ToolSet,
	{ setup, skills, offered }: ToolSources,
	load: (skill: AgentSkill) => Promise<readonly string[]>,
): Promise<ToolSet> {
	if (skills.length === 0 && offered.length === 0) return local;
	const tools = new Map(local.tools);
	const skillOf = new Map<string, string>();
	for (const skill of skills) {
		for (const [name, tool] of await skillTools(skill, { taken: tools, approval: setup.made.approval })) {
			tools.set(name, tool);
			skillOf.set(name, skill.name);
		}
	}
	// a robot's own tool of that name is what the programmer meant
	for (const tool of await toolsAboutSkills({ skills, offered, load })) if (!tools.has(tool.name)) tools.set(tool.name, tool);
	return toolSet(tools, skillOf);
}

interface LoadedSkill {
	readonly skill: AgentSkill;
	readonly tools: RunTools;
	readonly isChosen: (name: string) => boolean;
	readonly maxTools: number;
	readonly approval: ApprovalOptions | undefined;
	readonly run: RunPublisher;
}

/** Adds the scripts of a skill that the model loaded, and tells of it; gives the names of what was added. */
async function addSkill({ skill, tools, isChosen, maxTools, approval, run }: LoadedSkill): Promise<readonly string[]> {
	const found = [...(await skillTools(skill, { taken: tools.byName, approval }))].filter(([name]) => isChosen(name));
	const room = Math.max(0, maxTools - tools.byName.size);
	const added = new Map(found.slice(0, room));
	if (added.size < found.length) {
		const names = found.slice(room).map(([name]) => name);
		tellLeftOut(maxTools, tools.byName.size + found.length, names, run);
	}
	if (added.size > 0) tools.add(skill.name, added);
	await tellShortcomings(skill, run);
	run.tell("metadata.updated", { type: "skill_loaded", skill: skill.name, path: skill.path, tools: [...added.keys()] });
	return [...added.keys()];
}

const withTools = ({ tools, skillOf }: ToolSet, more: readonly Tool[]): ToolSet =>
	toolSet(new Map([...tools, ...more.map((tool) => [tool.name, tool] as const)]), skillOf);

function select({ tools, skillOf }: ToolSet, choice: CascadeChoice, robotName: string): ToolSet {
	const names = chosenNames(choice, { setting: "tools", robotName, known: tools.keys() });
	return toolSet(new Map(names.flatMap((name) => entryOf(tools, name))), skillOf);
}

function entryOf(tools: ReadonlyMap<string, Tool>, name: string): readonly (readonly [string, Tool])[] {
	const tool = tools.get(name);
	return tool === undefined ? [] : [[name, tool]];
}
