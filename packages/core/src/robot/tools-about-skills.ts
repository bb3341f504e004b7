import type { AgentSkill } from "../skill/agent-skill.js";
import { listedFiles } from "../skill-tool/listed-files.js";
import { loadSkillTool } from "../skill-tool/load-skill.js";
import { readSkillFileTool } from "../skill-tool/read-skill-file.js";
import type { Tool } from "../tool/tool.js";

/** The skills of a run, and what loading one does. */
export interface SkillsInRun {
	readonly skills: readonly AgentSkill[];
	readonly offered: readonly AgentSkill[];
	readonly load: (skill: AgentSkill) => Promise<readonly string[]>;
}

/** The tools by which a model takes more of skills: one to load those that are offered, one to read files where there are any. */
export async function toolsAboutSkills({ skills, offered, load }: SkillsInRun): Promise<readonly Tool[]> {
	const all = [...skills, ...offered];
	const files = await Promise.all(all.map((skill) => listedFiles(skill)));
	const readable = all.filter((_, index) => (files[index]?.length ?? 0) > 0);
	return [
		...(offered.length > 0 ? [loadSkillTool({ offered, onLoad: load })] : []),
		...(readable.length > 0 ? [readSkillFileTool(readable)] : []),
	];
}
