import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { SkillGrant } from "../config/config.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { LeadsOutError } from "../paths/opened-within.js";
import { isAtOrBelow } from "../paths/segments.js";
import { mapConcurrently } from "../process/map-concurrently.js";
import { messageOf } from "../text/message-of.js";
import { AgentSkill, loadFound } from "./agent-skill.js";
import * as flaws from "./discovery-flaws.js";
import { type FoundBundle, findBundles } from "./find-bundles.js";
import { realOrNothing, SKILL_FILE } from "./look-into.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { SkillInvalidError } from "./skill-invalid-error.js";
import type { SkillRoot } from "./skill-roots.js";

/** What one root holds, in the order of its bundles' paths. */
export interface ScannedRoot {
	readonly root: SkillRoot;
	readonly skills: readonly AgentSkill[];
	readonly bundles: readonly FoundBundle[];
	readonly groups: readonly string[];
	readonly links: readonly string[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/** A bundle's skill, what is wrong with it, or nothing where there is none any more. */
export type Loaded = AgentSkill | SkillDiagnostic | undefined;

/** @param within A project's real path that the bundle's SKILL.md has to lie in. @param grant What the host granted it. */
export type LoadBundle = (bundle: FoundBundle, within: string | undefined, grant?: SkillGrant) => Promise<Loaded>;

/** Loading waits for nothing, but watching looks at all files of a bundle first: more than the system has threads for that, few enough for its open files. */
const MAX_CONCURRENT_LOADS = 32;

/** A root that may be read, or why nothing of it is: then nothing of it was. */
export type RootVerdict = { readonly real: string | undefined } | { readonly refused: readonly SkillDiagnostic[] };

export async function judgeRoot({ path, project }: SkillRoot): Promise<RootVerdict> {
	if (project !== undefined && !project.verdict.isTrusted) {
		const { directory, verdict } = project;
		return { refused: (await exists(path)) ? [flaws.untrustedRoot(path, directory, verdict.refusal)] : [] };
	}
	const real = realOrNothing(path);
	const within = project?.verdict.project;
	return within !== undefined && real !== undefined && !isAtOrBelow(real, within)
		? { refused: [flaws.rootLeadsOut(path, real)] }
		: { real };
}

/**
 * Loads every bundle below a root that may be read. Never rejects: what cannot be loaded becomes a diagnostic. A missing root is empty.
 *
 * @param load What loads a bundle. Default: {@link loadBundle}.
 */
export async function scanRoot(root: SkillRoot, load: LoadBundle = loadBundle): Promise<ScannedRoot> {
	const within = root.project?.verdict.project;
	const { bundles, groups, links, diagnostics } = await findBundles(root.path, within);
	const loaded = await mapConcurrently(bundles, MAX_CONCURRENT_LOADS, (bundle) => load(bundle, within));
	const failed = loaded.filter((each): each is SkillDiagnostic => each !== undefined && !(each instanceof AgentSkill));
	return {
		root,
		skills: loaded.filter((each) => each instanceof AgentSkill),
		bundles,
		groups,
		links,
		diagnostics: [...diagnostics, ...failed],
	};
}

/** Loads one bundle. Never rejects. */
export async function loadBundle(
	{ directory, real, isListed, hasScripts }: FoundBundle,
	within: string | undefined,
	grant?: SkillGrant,
): Promise<Loaded> {
	const path = join(directory, SKILL_FILE);
	try {
		return await loadFound(path, { real, hasScripts, within, grant });
	} catch (error) {
		// A link that leads nowhere exists: somebody meant it to be a skill.
		const cause = ConfigurationError.isInstance(error) ? error.cause : undefined;
		// It was a link a moment later than it was looked at.
		if (cause instanceof LeadsOutError) return flaws.linkLeadsOut(path, cause.place);
		if (isMissing(cause) && !(await exists(path))) return isListed ? undefined : flaws.unlistedDirectory(directory);
		const message = messageOf(error);
		const line = SkillInvalidError.isInstance(error) ? error.diagnostics.find(({ severity }) => severity === "error")?.line : undefined;
		return Object.freeze({ severity: "error", code: "skill_invalid", message, path, ...(line !== undefined && { line }) });
	}
}

function isMissing(cause: unknown): boolean {
	const code = (cause as NodeJS.ErrnoException | undefined)?.code;
	return code === "ENOENT" || code === "ENOTDIR";
}

async function exists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	);
}
