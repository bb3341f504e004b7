import type { AgentSkill } from "../skill/agent-skill.js";

/** What of a skill is handed to a model besides its instructions. */
export interface SkillContent {
	/** Files that it may read, relative to the bundle. */
	readonly files: readonly string[];
	/** Names of tools that came with it. */
	readonly tools: readonly string[];
}

const MAX_LISTED = 20;

/** A skill as a model reads it that asked for it: instructions, and what else there is of it. */
export function skillContent(
	{ name, path, instructions }: Pick<AgentSkill, "name" | "path" | "instructions">,
	{ files, tools }: SkillContent,
): string {
	const parts = [`<skill_content name=${JSON.stringify(name)}>`, instructions, `Directory of the skill: ${JSON.stringify(path)}`];
	if (tools.length > 0) parts.push(`Tools you have now: ${tools.join(", ")}`);
	if (files.length > 0) parts.push(`Files of the skill (read_skill_file): ${listed(files)}`);
	return [...parts, "</skill_content>"].filter((part) => part !== "").join("\n");
}

function listed(files: readonly string[]): string {
	const more = files.length > MAX_LISTED ? ` and ${files.length - MAX_LISTED} more` : "";
	return `${files.slice(0, MAX_LISTED).join(", ")}${more}`;
}
