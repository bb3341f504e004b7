import type { ApprovalOptions } from "../approval/approval-options.js";
import { withApproval } from "../approval/with-approval.js";
import { checkNames } from "../options/check-options.js";
import { mapConcurrently } from "../process/map-concurrently.js";
import { type ScriptHelpOptions, withScriptHelp } from "../script/script-help.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { Tool } from "../tool/tool.js";
import { skillToolName } from "./skill-tool-name.js";

/** What a skill's scripts are called with, besides the skill. */
export interface SkillToolsOptions {
	/** Names that others have already: a script that would have one of them gets another. Default: none. */
	readonly taken?: { has(name: string): boolean };
	/** Who is asked before they run, and which lock holds. Default: nobody is asked. */
	readonly approval?: ApprovalOptions | undefined;
	/**
	 * Has what scripts say of themselves stand behind their descriptions (`withScriptHelp`): runs each once in a process with `--help`, confined and asked for
	 * as a call is. Default: nothing is run.
	 */
	readonly helpTexts?: ScriptHelpOptions | undefined;
}

const HELP_AT_ONCE = 4;

const NOTHING_TAKEN = new Set<string>();

/**
 * The tools of a skill's scripts by the names that a model is shown, in the order of the scripts. Rejects with a ConfigurationError for options that are
 * unknown: one that is mistyped would let scripts run unasked.
 */
export async function skillTools(skill: AgentSkill, options: SkillToolsOptions = {}): Promise<ReadonlyMap<string, Tool>> {
	checkNames("skillTools()", options, ["taken", "approval", "helpTexts"]);
	const { taken = NOTHING_TAKEN, approval, helpTexts } = options;
	const tools = new Map<string, Tool>();
	const isTaken = { has: (name: string) => taken.has(name) || tools.has(name) };
	for (const tool of await skill.scriptTools()) {
		const name = skillToolName(skill.name, tool.name, isTaken);
		tools.set(name, Object.freeze({ ...tool, name }));
	}
	// by the name that the model calls: who is asked and the log know no other
	const asking = approval === undefined ? [...tools.values()] : withApproval([...tools.values()], skill, approval);
	const described =
		helpTexts === undefined ? asking : await mapConcurrently(asking, HELP_AT_ONCE, (tool) => withScriptHelp(tool, helpTexts));
	return new Map(described.map((tool) => [tool.name, tool]));
}
