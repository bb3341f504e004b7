import type { Command } from "commander";
import { approvalFor } from "../approval.js";
import { openCatalog, requireSkill } from "../catalog.js";
import type { Context } from "../context.js";
import {
	addCeilingOptions,
	addJsonOption,
	addSkillsOption,
	applyCeiling,
	type CeilingOptions,
	type JsonOption,
	type SkillsOption,
} from "../options.js";
import { jsonDocument } from "../render/json.js";
import { renderSkill, skillRecord } from "../render/skill.js";
import { viewSkill } from "../skill-view.js";

interface ShowOptions extends SkillsOption, JsonOption, CeilingOptions {
	readonly helpTexts?: boolean;
}

export function addSkillsShowCommand(skills: Command, context: Context): void {
	const command = skills
		.command("show")
		.argument("<name>", "the skill")
		.description("one skill: what it asks for, what it is given, its scripts and what they take")
		.option("--help-texts", "run each script with --help, confined to what the skill is given, and print what it says");
	addCeilingOptions(addJsonOption(addSkillsOption(command), "print one JSON document")).action((name: string, options: ShowOptions) =>
		showSkill(name, options, context),
	);
}

async function showSkill(name: string, options: ShowOptions, { terminal, interrupt }: Context): Promise<void> {
	applyCeiling(options);
	const skill = await requireSkill(await openCatalog(options.skills), name);
	const view = await viewSkill(skill, options.helpTexts ? { signal: interrupt.signal, approval: approvalFor({}, terminal) } : undefined);
	const text = options.json ? jsonDocument(skillRecord(view)) : `${renderSkill(view, terminal.outStyle, terminal.width).join("\n")}\n`;
	terminal.out(text);
}
