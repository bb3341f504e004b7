import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { messageOf } from "../text/message-of.js";
import { AgentSkill } from "./agent-skill.js";
import { mapConcurrently } from "./map-concurrently.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

/** What one root holds, in the order of its directories' names. */
export interface ScannedRoot {
	readonly skills: readonly AgentSkill[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/** More than the system has threads for reading, few enough for its open files. */
const MAX_CONCURRENT_LOADS = 32;
const SKILL_FILE = "SKILL.md";

/** Loads every bundle directly below `root`. Never rejects: what cannot be loaded becomes a diagnostic. A missing root is empty. */
export async function scanRoot(root: string): Promise<ScannedRoot> {
	let entries: readonly Dirent[];
	try {
		entries = await readdir(root, { withFileTypes: true });
	} catch (error) {
		return { skills: [], diagnostics: unreadableRoot(root, error as NodeJS.ErrnoException) };
	}
	const directories = entries.filter((entry) => !entry.isFile()).map((entry) => entry.name);
	const loaded = await mapConcurrently(directories.sort(), MAX_CONCURRENT_LOADS, (name) => loadBundle(join(root, name)));
	const diagnostics = loaded.filter((bundle): bundle is SkillDiagnostic => bundle !== undefined && !(bundle instanceof AgentSkill));
	return {
		skills: loaded.filter((bundle) => bundle instanceof AgentSkill),
		diagnostics: [...bundleAsRoot(root, entries), ...diagnostics],
	};
}

/** The bundle's skill, what is wrong with it, or nothing for a directory that is none. */
async function loadBundle(directory: string): Promise<AgentSkill | SkillDiagnostic | undefined> {
	const path = join(directory, SKILL_FILE);
	try {
		return await AgentSkill.load(path);
	} catch (error) {
		if (isMissing(error) && !(await exists(path))) return undefined;
		const message = messageOf(error);
		return Object.freeze({ severity: "error", code: "skill_invalid", message, path });
	}
}

function isMissing(error: unknown): boolean {
	const cause = ConfigurationError.isInstance(error) ? error.cause : undefined;
	const code = (cause as NodeJS.ErrnoException | undefined)?.code;
	return code === "ENOENT" || code === "ENOTDIR";
}

/** A link that leads nowhere exists: somebody meant it to be a skill. */
async function exists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	);
}

function unreadableRoot(path: string, { code, message }: NodeJS.ErrnoException): readonly SkillDiagnostic[] {
	if (code === "ENOENT") return [];
	const step = code === "ENOTDIR" ? "Give a directory that holds bundles." : "Change its permissions or take it out of the roots.";
	return [
		Object.freeze({
			severity: "error",
			code: "root_unreadable",
			message: `The skills in ${JSON.stringify(path)} cannot be listed (${message}). ${step}`,
			path,
		}),
	];
}

function bundleAsRoot(root: string, entries: readonly Dirent[]): readonly SkillDiagnostic[] {
	if (!entries.some((entry) => entry.name === SKILL_FILE && !entry.isDirectory())) return [];
	const message = `${JSON.stringify(root)} is a bundle, not a directory of bundles; its own SKILL.md is not read. Give the directory above it.`;
	return [Object.freeze({ severity: "warning", code: "root_is_bundle", message, path: root })];
}
