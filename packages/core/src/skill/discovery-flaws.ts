import { basename } from "node:path";
import { shellQuoted } from "../text/shell-quote.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

const diagnostic = (severity: SkillDiagnostic["severity"], code: string, path: string, message: string): SkillDiagnostic =>
	Object.freeze({ severity, code, message, path });

const quoted = (path: string): string => JSON.stringify(path);

export function unreadableRoot(path: string, { code, message }: NodeJS.ErrnoException): readonly SkillDiagnostic[] {
	if (code === "ENOENT") return [];
	const step = code === "ENOTDIR" ? "Give a directory that holds bundles." : "Change its permissions or take it out of the roots.";
	return [diagnostic("error", "root_unreadable", path, `The skills in ${quoted(path)} cannot be listed (${message}). ${step}`)];
}

export const missingRoot = (path: string): SkillDiagnostic =>
	diagnostic(
		"warning",
		"root_missing",
		path,
		`There is no directory ${quoted(path)}, so it has no skills. Mend the path, or make the directory.`,
	);

export const bundleAsRoot = (path: string): SkillDiagnostic =>
	diagnostic(
		"warning",
		"root_is_bundle",
		path,
		`${quoted(path)} is a bundle, not a directory of bundles; its own SKILL.md is not read. Give the directory above it.`,
	);

export const untrustedRoot = (path: string, directory: string, refusal: string | undefined): SkillDiagnostic =>
	diagnostic(
		"warning",
		"root_untrusted",
		path,
		refusal === undefined
			? `The skills in ${quoted(path)} are not read, because nobody said that this project is trusted. If you trust it, run: robot-lab trust ${shellQuoted(directory)}`
			: `The skills in ${quoted(path)} are not read, because the project is not trusted: ${refusal}.`,
	);

export const rootLeadsOut = (path: string, target: string): SkillDiagnostic =>
	diagnostic(
		"error",
		"root_leads_out",
		path,
		`The skills in ${quoted(path)} are not read: it is a link out of the project, to ${quoted(target)}. Put that directory into skills.roots of your own configuration if you want its skills.`,
	);

export const linkLeadsOut = (path: string, target: string | undefined): SkillDiagnostic =>
	diagnostic(
		"error",
		"link_leads_out",
		path,
		`${quoted(path)} is not read: it leads out of the project${target === undefined ? "" : `, to ${quoted(target)}`}. Put the directory above that into skills.roots of your own configuration if you want the skill.`,
	);

export const linkNotFollowed = (path: string, target: string): SkillDiagnostic =>
	diagnostic(
		"warning",
		"link_not_followed",
		path,
		`${quoted(path)} is a link to ${quoted(target)}, which is no bundle, and is not looked through. If bundles lie there, make it a root of its own.`,
	);

export const misnamed = (path: string): SkillDiagnostic =>
	diagnostic(
		"warning",
		"skill_file_misnamed",
		path,
		`${quoted(path)} is not read: the file must be called SKILL.md, not ${quoted(basename(path))}. Rename it.`,
	);

export const tooLarge = (root: string, first: string, limit: string): SkillDiagnostic =>
	diagnostic(
		"error",
		"root_too_large",
		root,
		`${quoted(root)} holds more than ${limit} without a bundle; from ${quoted(first)} on nothing more was looked for. Give the directory that holds the bundles.`,
	);

export const unlistedDirectory = (path: string): SkillDiagnostic =>
	diagnostic(
		"error",
		"directory_unreadable",
		path,
		`${quoted(path)} cannot be listed, so bundles in it are not found. Change its permissions.`,
	);

export const nestedSkill = (path: string, bundle: string): SkillDiagnostic =>
	diagnostic(
		"warning",
		"skill_nested",
		path,
		`${quoted(path)} is not a skill, because it lies in another one, ${quoted(bundle)}. Move its directory out of there if it is to be one.`,
	);

export const watchIncomplete = (bundle: string): SkillDiagnostic =>
	diagnostic(
		"warning",
		"watch_incomplete",
		bundle,
		`${quoted(bundle)} has too many files or directories to watch all of them: changes of SKILL.md and scripts/ are noticed, of others perhaps not. Move what is no part of the skill out of it, or call catalog.reload() after such a change.`,
	);
