import type { CatalogEntry } from "@robot-lab/core";
import type { Command } from "commander";
import { nothingFound, openCatalog } from "../catalog.js";
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
	const [entries, diagnostics] = [await catalog.entries(), await catalog.diagnostics()];
	if (options.json) {
		terminal.out(jsonDocument({ skills: await Promise.all(entries.map(summary)), diagnostics }));
		return;
	}
	for (const line of renderDiagnostics(diagnostics, terminal.errStyle)) terminal.err(`${line}\n`);
	if (entries.length === 0) terminal.err(`${nothingFound(catalog.roots(), diagnostics)}\n`);
	else terminal.out(`${renderSkillList(entries, terminal.outStyle, terminal.width).join("\n")}\n`);
}

async function summary({ skill, root, hides }: CatalogEntry): Promise<object> {
	const { name, description, path } = skill;
	const { trust } = skill.capabilities;
	return { name, description, path, root: root.path, trust, hides, scripts: (await skill.scriptTools()).map((tool) => tool.name) };
}
