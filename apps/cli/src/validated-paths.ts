import { type Stats, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { AgentSkill, findBundles, type SkillDiagnostic, type ValidationMode, validateSkill } from "@robot-lab/core";
import { UsageError } from "./exit.js";

/** What was looked at below one path, and what is wrong with it. */
export interface ValidatedPaths {
	readonly bundles: readonly {
		readonly path: string;
		readonly diagnostics: readonly SkillDiagnostic[];
		/** Where the host trusts it, so that it runs unconfined. */
		readonly trust?: "core";
	}[];
	/** What is wrong with the folders in which bundles were looked for. */
	readonly diagnostics: readonly SkillDiagnostic[];
}

const SKILL_FILE = "SKILL.md";

/** Validates what the paths lead to: a SKILL.md, the folder of a bundle, or a folder of such folders at any depth. A path that is not there is wrong usage. */
export async function validatePaths(paths: readonly string[], validation: ValidationMode): Promise<ValidatedPaths> {
	const places = paths.map((path) => placeAt(resolve(path)));
	const bundles = new Set<string>();
	const diagnostics: SkillDiagnostic[] = [];
	for (const { path, isBundle } of places) {
		const found = isBundle ? undefined : await findBundles(path);
		for (const { directory } of found?.bundles ?? []) bundles.add(directory);
		diagnostics.push(...(found?.diagnostics ?? []));
		// somebody meant it to be a bundle
		if (found === undefined || found.bundles.length + found.diagnostics.length === 0) bundles.add(path);
	}
	const validated: ValidatedPaths["bundles"][number][] = [];
	for (const path of bundles) {
		const isCore = await isTrusted(path);
		validated.push({ path, diagnostics: await validateSkill(path, { validation }), ...(isCore && { trust: "core" }) });
	}
	return { bundles: validated, diagnostics };
}

/** What cannot be loaded is trusted by nobody. */
async function isTrusted(path: string): Promise<boolean> {
	return AgentSkill.load(join(path, SKILL_FILE), { validation: "lenient" }).then(
		({ capabilities }) => capabilities.isCore,
		() => false,
	);
}

function placeAt(path: string): { readonly path: string; readonly isBundle: boolean } {
	const found = statAt(path);
	if (found === undefined)
		throw new UsageError(`There is nothing at ${path}. Name a ${SKILL_FILE}, the folder of a skill, or a folder of skills.`);
	if (found.isDirectory()) return { path, isBundle: statAt(join(path, SKILL_FILE)) !== undefined };
	if (basename(path) === SKILL_FILE) return { path: join(path, ".."), isBundle: true };
	throw new UsageError(`${path} is no ${SKILL_FILE}. Name a ${SKILL_FILE}, the folder of a skill, or a folder of skills.`);
}

function statAt(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}
