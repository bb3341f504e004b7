import { type AgentSkill, ScriptTool } from "@robot-lab/core";
import type { Command } from "commander";
import { approvalFor } from "../approval.js";
import { openCatalog, requireSkill, tellUntrusted } from "../catalog.js";
import type { Context } from "../context.js";
import { UsageError } from "../exit.js";
import { addLockOptions, type LockFlags, lockFor } from "../lock.js";
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
import { type HelpRequest, viewSkill } from "../skill-view.js";

interface ShowOptions extends SkillsOption, JsonOption, CeilingOptions, LockFlags {
	readonly helpTexts?: boolean;
	readonly yes?: boolean;
}

export function addSkillsShowCommand(skills: Command, context: Context): void {
	const command = skills
		.command("show")
		.argument("<name>", "the skill")
		.description("one skill: what it asks for, what it is given, its scripts and what they take")
		.option(
			"--help-texts",
			"run each script with --help and print what it says: confined to what the skill is given; where nothing confines it, after a question",
		)
		.option("--yes", "let --help-texts run scripts without a question, also where nothing confines them");
	addCeilingOptions(addJsonOption(addLockOptions(addSkillsOption(command)), "print one JSON document")).action(
		(name: string, options: ShowOptions) => showSkill(name, options, context),
	);
}

async function showSkill(name: string, options: ShowOptions, context: Context): Promise<void> {
	applyCeiling(options);
	const { terminal } = context;
	const catalog = await openCatalog(options.skills);
	await tellUntrusted(catalog, terminal);
	const skill = await requireSkill(catalog, name);
	const view = await viewSkill(skill, options.helpTexts ? await helpRequest(skill, options, context) : undefined);
	const text = options.json ? jsonDocument(skillRecord(view)) : `${renderSkill(view, terminal.outStyle, terminal.width).join("\n")}\n`;
	terminal.out(text);
}

/** Who looks at a bundle does not expect that it runs: unconfined it only does so once somebody said yes. */
async function helpRequest(
	{ capabilities }: AgentSkill,
	{ yes, ...flags }: ShowOptions,
	{ terminal, interrupt }: Context,
): Promise<HelpRequest> {
	const { signal } = interrupt;
	const lock = await lockFor(flags);
	if (yes === true || ScriptTool.executor?.confines?.(capabilities) === true) return { signal, ...(lock && { approval: { lock } }) };
	const approval = capabilities.isCore ? undefined : approvalFor({}, terminal);
	if (approval !== undefined) return { signal, approval: { ...approval, ...(lock && { lock }) } };
	const why = capabilities.isCore
		? "its trust: core has it run unconfined"
		: "nothing confines its scripts here, and there is no terminal to ask on";
	throw new UsageError(`--help-texts ran nothing of this skill: ${why}. Read the scripts first; --yes runs each with --help all the same.`);
}
