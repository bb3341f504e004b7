import { Sandbox } from "@robot-lab/sandbox";
import type { Command } from "commander";
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
import { capabilitiesRecord } from "../render/capabilities.js";
import { jsonDocument } from "../render/json.js";
import { grantOf } from "../skill-view.js";

type ProfileOptions = SkillsOption & JsonOption & CeilingOptions;

export function addSandboxProfileCommand(sandbox: Command, context: Context): void {
	const command = sandbox
		.command("profile")
		.argument("<skill>", "the skill")
		.description("the macOS sandbox profile a skill's scripts would run in");
	addCeilingOptions(addJsonOption(addSkillsOption(command), "print one JSON document")).action((name: string, options: ProfileOptions) =>
		showProfile(name, options, context),
	);
}

async function showProfile(name: string, options: ProfileOptions, { terminal }: Context): Promise<void> {
	applyCeiling(options);
	const skill = await requireSkill(await openCatalog(options.skills), name);
	const { grant } = grantOf(skill);
	const { profile } = new Sandbox.Seatbelt(grant, { skillDir: skill.path });
	const note = profileNote(skill.capabilities.isCore, options.sandbox);
	if (note !== undefined) terminal.err(`${terminal.errStyle.warning(note)}\n`);
	terminal.out(options.json ? jsonDocument({ skill: skill.name, grant: capabilitiesRecord(grant), profile }) : `${profile.trimEnd()}\n`);
}

/** Why this profile is not what runs here and now, if it is not. */
function profileNote(isCore: boolean, enabled: boolean): string | undefined {
	if (!enabled) return "With --no-sandbox no profile is used; this is the one that would be.";
	if (isCore) return "This skill is trusted (trust: core) and runs unconfined; this is the profile it would otherwise have.";
	if (process.platform === "darwin") return undefined;
	return `This is the profile macOS would use, with the paths of this machine. On ${process.platform} it is only text: nothing here applies it.`;
}
