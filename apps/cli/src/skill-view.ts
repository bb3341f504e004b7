import { join, relative } from "node:path";
import {
	type AgentSkill,
	type ApprovalOptions,
	Capabilities,
	type ScriptInspection,
	type ScriptParameters,
	type SkillDiagnostic,
	scriptHelp,
	scriptSourceOf,
	type Tool,
	withApproval,
} from "@robot-lab/core";
import { type CommandLineGrants, grantsOrigin, realOr } from "./grants.js";
import { originText } from "./render/config.js";
import type { GrantView } from "./render/grant.js";

/** A file in a skill's scripts folder: the tool it becomes and how it is started, or why it becomes none. */
export type ScriptView = { readonly file: string; readonly path: string } & (
	| {
			readonly tool: string;
			readonly description: string;
			readonly command: readonly string[];
			/** What it declares to take. Absent: whatever arguments there are. */
			readonly parameters?: ScriptParameters;
			/** What it says when it is run with `--help`, where somebody asked for that. */
			readonly help?: string;
	  }
	| { readonly tool: null; readonly reason: string }
);

/** Everything there is to say about one skill under the present ceiling. */
export interface SkillView extends GrantView {
	readonly skill: AgentSkill;
	readonly scripts: readonly ScriptView[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/** @param granted What the command line granted. */
export function grantOf(skill: AgentSkill, granted?: CommandLineGrants): GrantView {
	const ceiling = Capabilities.ceiling();
	return { declared: skill.capabilities, ceiling, grant: skill.capabilities.intersect(ceiling), instead: grantedInstead(skill, granted) };
}

/** By whom something was granted to a skill, where that is so. */
export function grantedInstead({ capabilities, declared, path }: AgentSkill, granted?: CommandLineGrants): GrantView["instead"] {
	if (declared === capabilities) return undefined;
	if (granted?.directories.has(realOr(path))) return { asked: declared, by: "--grant" };
	const origin = granted?.others ?? grantsOrigin();
	return { asked: declared, by: `skills.grants${origin === undefined ? "" : ` in ${originText(origin)}`}` };
}

/** How scripts are asked for what they say of themselves. */
export interface HelpRequest {
	readonly signal: AbortSignal;
	/** Absent: nobody is asked whether they may run. */
	readonly approval?: ApprovalOptions | undefined;
}

/** Long enough for a person to answer a question, too. */
const ASKED_TIMEOUT_MS = 120_000;

/** @param help Has every script say what it does: runs each once. */
export async function viewSkill(skill: AgentSkill, help?: HelpRequest): Promise<SkillView> {
	return { ...grantOf(skill), skill, scripts: await scriptsOf(skill, help), diagnostics: await skill.diagnostics() };
}

/** The files of a skill's scripts folder, and those below it that are tools. */
export async function scriptsOf(skill: AgentSkill, help?: HelpRequest): Promise<readonly ScriptView[]> {
	const tools = new Map<string, Tool>();
	const found = await skill.scriptTools();
	for (const tool of help?.approval === undefined ? found : withApproval(found, skill, help.approval)) {
		const source = scriptSourceOf(tool);
		if (source !== undefined) tools.set(source.path, tool);
	}
	const views: ScriptView[] = [];
	for (const inspection of await skill.inspectScripts()) {
		const file = relative(join(skill.path, "scripts"), inspection.path);
		views.push(await viewScript(file, inspection, tools.get(inspection.path), help));
	}
	return views;
}

async function viewScript(file: string, inspection: ScriptInspection, tool: Tool | undefined, help?: HelpRequest): Promise<ScriptView> {
	const { path } = inspection;
	if (inspection.kind === "other") return { file, path, tool: null, reason: inspection.reason };
	if (inspection.kind === "unusable") return { file, path, tool: null, reason: inspection.message };
	if (tool === undefined) return { file, path, tool: null, reason: "it is no tool of this skill" };
	const parameters = scriptSourceOf(tool)?.parameters;
	const said =
		help === undefined ? undefined : await scriptHelp(tool, { signal: help.signal, ...(help.approval && { timeoutMs: ASKED_TIMEOUT_MS }) });
	return {
		file,
		path,
		tool: tool.name,
		description: tool.description,
		command: inspection.command,
		...(parameters !== undefined && { parameters }),
		...(said !== undefined && { help: said }),
	};
}
