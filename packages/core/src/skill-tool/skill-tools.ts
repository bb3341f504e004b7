import type { ApprovalOptions } from "../approval/approval-options.js";
import { withApproval } from "../approval/with-approval.js";
import { checkNames } from "../options/check-options.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { Tool } from "../tool/tool.js";
import { skillToolName } from "./skill-tool-name.js";

/** What a skill's scripts are called with, besides the skill. */
export interface SkillToolsOptions {
	/** Names that others have already: a script that would have one of them gets another. Default: none. */
	readonly taken?: { has(name: string): boolean };
	/** Who is asked before they run, and which lock holds. Default: nobody is asked. */
	readonly approval?: ApprovalOptions | undefined;
}

const NOTHING_TAKEN = new Set<string>();

/**
 * The tools of a skill's scripts by the names that a model is shown, in the order of the scripts. Rejects with a ConfigurationError for options that are
 * unknown: one that is mistyped would let scripts run unasked.
 */
export async function skillTools(skill: AgentSkill, options: SkillToolsOptions = {}): Promise<ReadonlyMap<string, Tool>> {
	checkNames("skillTools()", options, ["taken", "approval"]);
	const { taken = NOTHING_TAKEN, approval } = options;
	const tools = new Map<string, Tool>();
	const isTaken = { has: (name: string) => taken.has(name) || tools.has(name) };
	const scripts = await skill.scriptTools();
	const asked = approval === undefined ? scripts : withApproval(scripts, skill, approval);
	for (const tool of asked) tools.set(skillToolName(skill.name, tool.name, isTaken), tool);
	return tools;
}
