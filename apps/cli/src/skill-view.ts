import { basename } from "node:path";
import { type AgentSkill, Capabilities, inspectScript, type SkillDiagnostic } from "@robot-lab/core";
import type { GrantView } from "./render/grant.js";

/** A file in a skill's scripts folder: the tool it becomes and how it is started, or why it becomes none. */
export type ScriptView = { readonly file: string; readonly path: string } & (
	| { readonly tool: string; readonly description: string; readonly command: readonly string[] }
	| { readonly tool: null; readonly reason: string }
);

/** Everything there is to say about one skill under the present ceiling. */
export interface SkillView extends GrantView {
	readonly skill: AgentSkill;
	readonly scripts: readonly ScriptView[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

export function grantOf(skill: AgentSkill): GrantView {
	const ceiling = Capabilities.ceiling();
	return { declared: skill.capabilities, ceiling, grant: skill.capabilities.intersect(ceiling) };
}

export async function viewSkill(skill: AgentSkill): Promise<SkillView> {
	return { ...grantOf(skill), skill, scripts: await scriptsOf(skill), diagnostics: await skill.diagnostics() };
}

/** The skill names its tools, one for each runnable script in the order of the scripts. */
export async function scriptsOf(skill: AgentSkill): Promise<readonly ScriptView[]> {
	const names = (await skill.scriptTools()).map(({ name }) => name)[Symbol.iterator]();
	const inspections = await Promise.all((await skill.scripts()).map((path) => inspectScript(path)));
	return inspections.map((inspection): ScriptView => {
		const { path } = inspection;
		const file = basename(path);
		if (inspection.kind === "other") return { file, path, tool: null, reason: inspection.reason };
		if (inspection.kind === "unusable") return { file, path, tool: null, reason: inspection.message };
		const { description, command } = inspection;
		return { file, path, tool: names.next().value ?? file, description, command };
	});
}
