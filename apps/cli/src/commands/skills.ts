import type { Command } from "commander";
import type { Context } from "../context.js";
import { addSkillsListCommand } from "./skills-list.js";
import { addSkillsLockCommand } from "./skills-lock.js";
import { addSkillsMatchCommand } from "./skills-match.js";
import { addSkillsRunCommand } from "./skills-run.js";
import { addSkillsShowCommand } from "./skills-show.js";
import { addSkillsValidateCommand } from "./skills-validate.js";

export function addSkillsCommands(program: Command, context: Context): void {
	const skills = program.command("skills").description("look at skills and run their scripts");
	addSkillsListCommand(skills, context);
	addSkillsShowCommand(skills, context);
	addSkillsValidateCommand(skills, context);
	addSkillsMatchCommand(skills, context);
	addSkillsRunCommand(skills, context);
	addSkillsLockCommand(skills, context);
}
