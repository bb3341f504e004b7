import { type AgentSkill, SKILLS_ROOT, type SkillDiagnostic } from "@robot-lab/core";
import type { Command } from "commander";
import { openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { addJsonOption, addSkillsOption, type JsonOption, type SkillsOption } from "../options.js";
import { renderDiagnostics } from "../render/diagnostics.js";
import { jsonDocument } from "../render/json.js";
import { renderSkillList } from "../render/skill-list.js";

export function addSkillsListCommand(skills: Command, context: Context): void {
	const command = skills.command("list").description("every skill, and what is wrong with those that cannot be used");
	addJsonOption(addSkillsOption(command), "print one JSON document").action((options: SkillsOption & JsonOption) =>
		listSkills(options, context),
	);
}

async function listSkills(options: SkillsOption & JsonOption, { terminal }: Context): Promise<void> {
	const catalog = await openCatalog(options.skills);
	const [found, diagnostics] = [await catalog.all(), await catalog.diagnostics()];
	if (options.json) {
		terminal.out(jsonDocument({ skills: await Promise.all(found.map(summary)), diagnostics }));
		return;
	}
	for (const line of renderDiagnostics(diagnostics, terminal.errStyle)) terminal.err(`${line}\n`);
	if (found.length > 0) terminal.out(`${renderSkillList(found, terminal.outStyle, terminal.width).join("\n")}\n`);
	else terminal.err(`${nothingFound(options.skills, diagnostics)}\n`);
}

async function summary(skill: AgentSkill): Promise<object> {
	const { name, description, path } = skill;
	return { name, description, path, scripts: (await skill.scriptTools()).map((tool) => tool.name) };
}

function nothingFound(directories: readonly string[] | undefined, diagnostics: readonly SkillDiagnostic[]): string {
	const where = directories?.join(", ") ?? SKILLS_ROOT;
	const next =
		diagnostics.length > 0
			? "Mend what is named above"
			: "A skill is a folder with a SKILL.md in it; name the folder above with --skills DIR";
	return `No usable skill in ${where}. ${next}.`;
}
