import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { type AgentSkill, AgentSkillCatalog, config, configure, nearestNames, type SkillDiagnostic, type SkillRoot } from "@robot-lab/core";
import { UsageError, WorkError } from "./exit.js";
import { renderDiagnostics } from "./render/diagnostics.js";
import { printableLine } from "./render/printable.js";
import type { Terminal } from "./terminal.js";

/** The catalog over the folders given, each of which must be there, or over those of the configuration, which need not; and with discovery over the shared ones. */
export async function openCatalog(directories: readonly string[] | undefined): Promise<AgentSkillCatalog> {
	if (directories !== undefined) {
		for (const [index, directory] of directories.entries()) await checkDirectory(directory, index > 0);
		// as configured ones: a server asks again and again what the roots are, and whether the project is still trusted
		configure({ skills: { roots: directories } });
	}
	return AgentSkillCatalog.instance;
}

/** Tells of projects whose skills discovery leaves out: what somebody looks for may be there. */
export async function tellUntrusted(catalog: AgentSkillCatalog, { err, errStyle }: Terminal): Promise<void> {
	if (!config().skills.discover) return;
	const untrusted = (await catalog.diagnostics()).filter(({ code }) => code === "root_untrusted");
	for (const line of renderDiagnostics(untrusted, errStyle)) err(`${line}\n`);
}

/** Where was looked in vain, and what to do next. */
export function nothingFound(roots: readonly SkillRoot[], diagnostics: readonly SkillDiagnostic[]): string {
	const where = roots.map(({ path }) => printableLine(path)).join(", ");
	const next =
		diagnostics.length > 0
			? "Mend what is named above"
			: "A skill is a folder with a SKILL.md in it; name the folder that holds such folders with --skills DIR, or look where other agents do with --discover";
	return `No usable skill in ${where}. ${next}.`;
}

/** The skill of that name. An unknown one is wrong usage, and the error names what is near it. */
export async function requireSkill(catalog: AgentSkillCatalog, name: string): Promise<AgentSkill> {
	const skill = await catalog.find(name);
	if (skill !== undefined) return skill;
	const known = (await catalog.all()).map((one) => one.name);
	throw new UsageError(`There is no skill "${printableLine(name, 80)}". ${knownNames(name, known)}`);
}

/** What to try instead of a name that is not known. */
export function knownNames(name: string, known: readonly string[]): string {
	if (known.length === 0)
		return "No skill was found at all: name the folder that holds the skills with --skills DIR, or look in the shared ones with --discover.";
	const near = nearestNames(name, known);
	if (near.length > 0) return `Did you mean ${near.map(shown).join(", ")}?`;
	const more = known.length > 10 ? ` and ${known.length - 10} more (robot-lab skills list)` : "";
	return `Known are ${known.slice(0, 10).map(shown).join(", ")}${more}.`;
}

const shown = (name: string): string => printableLine(name, 80);

/** @param isFurther Whether it stands behind another one: then it may be no folder at all, but an argument that was meant for the command. */
async function checkDirectory(directory: string, isFurther: boolean): Promise<void> {
	const rule = `--skills takes ${isFurther ? "every word behind it as a folder" : "a folder"} that holds skills, each in a folder of its own.${isFurther ? " What is none goes before --skills, or behind --." : ""}`;
	const found = await stat(directory).catch((error: NodeJS.ErrnoException) => error);
	if (found instanceof Error) {
		if (found.code === "EACCES") throw unreadable(directory);
		throw new UsageError(`There is no folder ${printableLine(directory, 200)}. ${rule}`);
	}
	if (!found.isDirectory()) throw new UsageError(`${printableLine(directory, 200)} is no folder. ${rule}`);
	await access(directory, constants.R_OK | constants.X_OK).catch(() => {
		throw unreadable(directory);
	});
	if (await isSkill(directory)) {
		throw new UsageError(`${directory} is itself a skill. --skills takes the folder above it, ${join(directory, "..")}.`);
	}
}

const unreadable = (directory: string): WorkError =>
	new WorkError(`The folder ${directory} may not be read by this user. Check its permissions.`);

async function isSkill(directory: string): Promise<boolean> {
	return stat(join(directory, "SKILL.md")).then(
		(found) => found.isFile(),
		() => false,
	);
}
