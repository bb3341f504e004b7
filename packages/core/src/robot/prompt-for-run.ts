import { ABORTED, unlessAborted } from "../process/unless-aborted.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { type ResolvedRobotOptions, resolveWith } from "./resolve-robot-options.js";
import type { RobotOptions } from "./robot-options.js";
import type { RunOptions } from "./run-options.js";
import type { RobotSkills } from "./skills-for-run.js";

/** What the templates of a robot come to in one run. */
export interface RunPrompt {
	/** The robot's options, with the model keys of the templates that are used. */
	readonly robot: ResolvedRobotOptions;
	/** The texts of the templates, then the robot's own prompt; empty without both. */
	readonly text: string;
	/** The Agent Skills that the robot and its templates name. */
	readonly named: readonly AgentSkill[];
}

/**
 * Looks up which of the names that the robot and its templates name are those of Agent Skills, and fills in the templates. Throws
 * ConfigurationError for a name nobody knows, and for values that are missing or that no template takes.
 *
 * @param made What the robot was made of, which is resolved again where an Agent Skill stands in for a template.
 */
export async function promptForRun(
	made: RobotOptions,
	robot: ResolvedRobotOptions,
	skills: RobotSkills | undefined,
	{ context, signal }: RunOptions,
): Promise<RunPrompt> {
	const { templates } = robot;
	const atMost = templates.expand();
	if (skills === undefined || templates.names.length === 0) {
		return { robot, text: withOwn(templates.render(atMost.templates, context), robot), named: [] };
	}
	const found = await unlessAborted(skills.find(templates.names), signal);
	if (found === ABORTED) return { robot, text: "", named: [] };
	const { templates: used, agentSkills, unknown } = templates.expand(found);
	const [nobodys] = unknown;
	if (nobodys !== undefined) throw await skills.unknown(nobodys, templates.known());
	return {
		robot: used.length === atMost.templates.length ? robot : resolveWith(made, templates, used),
		text: withOwn(templates.render(used, context), robot),
		named: agentSkills.flatMap((name) => found.get(name) ?? []),
	};
}

const withOwn = (text: string, { systemPrompt = "" }: ResolvedRobotOptions): string =>
	[text, systemPrompt].filter((part) => part !== "").join("\n\n");
