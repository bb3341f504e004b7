import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { SKILLS_ROOT } from "../paths/skills-root.js";
import { describeValue } from "../text/describe-value.js";
import type { AgentSkill } from "./agent-skill.js";
import { missingRoot } from "./discovery-flaws.js";
import { grantedPlaces } from "./granted-places.js";
import { SKILL_FILE } from "./look-into.js";
import { judgeRoot, type LoadBundle, loadBundle, type RootVerdict, type ScannedRoot, scanRoot } from "./scan-root.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import type { SkillRoot } from "./skill-roots.js";

/** A skill of a catalog, and where it is from. */
export interface CatalogEntry {
	readonly skill: AgentSkill;
	readonly root: SkillRoot;
	/** The directories of bundles whose skill has the same name and is not used, because this one comes first. */
	readonly hides: readonly string[];
}

/** What the roots of a catalog held when they were looked through. */
export interface Scan {
	/** By name, sorted. */
	readonly entries: ReadonlyMap<string, CatalogEntry>;
	readonly skills: readonly AgentSkill[];
	readonly roots: readonly ScannedRoot[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/** @param load What loads a bundle. Default: {@link loadBundle}. Throws where the configuration cannot be read. */
export async function scanRoots(roots: readonly SkillRoot[], load: LoadBundle = loadBundle): Promise<Scan> {
	const granted = grantedPlaces();
	const scanned = await scanEach(roots, (bundle, within) => load(bundle, within, granted.grants.get(bundle.real)));
	const found = new Map<string, { readonly skill: AgentSkill; readonly root: SkillRoot; readonly hides: string[] }>();
	const shadowed: SkillDiagnostic[] = [];
	for (const { root, skills } of scanned) {
		for (const skill of skills) {
			const first = found.get(skill.name);
			if (first === undefined) found.set(skill.name, { skill, root, hides: [] });
			else if (!(await isSameBundle(first.skill, skill))) {
				first.hides.push(skill.path);
				shadowed.push(shadowing(first.skill, skill));
			}
		}
	}
	const entries = new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
	return {
		entries,
		skills: Object.freeze([...entries.values()].map(({ skill }) => skill)),
		roots: scanned,
		diagnostics: [...scanned.flatMap(({ diagnostics }) => diagnostics), ...shadowed, ...granted.diagnostics],
	};
}

/** Each place once: a later root that leads where an earlier one does has nothing to add. */
async function scanEach(roots: readonly SkillRoot[], load: LoadBundle): Promise<readonly ScannedRoot[]> {
	const verdicts = await Promise.all(roots.map(judgeRoot));
	const places = verdicts.map((verdict) => ("real" in verdict ? verdict.real : undefined));
	const scans = roots.map(async (root, index) => {
		const verdict = verdicts[index] as RootVerdict;
		if ("refused" in verdict) return { root, skills: [], bundles: [], groups: [], links: [], diagnostics: verdict.refused };
		const isRepeated = verdict.real !== undefined && places.indexOf(verdict.real) < index;
		return isRepeated ? [] : orMissing(await scanRoot(root, load));
	});
	return (await Promise.all(scans)).flat();
}

/** A root that somebody named and that is not there is most likely mistyped. */
function orMissing(scanned: ScannedRoot): ScannedRoot {
	const { root, groups, diagnostics } = scanned;
	const isExpected = root.scope === "own" && root.path !== SKILLS_ROOT;
	return isExpected && groups.length === 0 && diagnostics.length === 0 ? { ...scanned, diagnostics: [missingRoot(root.path)] } : scanned;
}

/** Two roots may lead to one bundle through links; then nothing is hidden. */
async function isSameBundle(first: AgentSkill, second: AgentSkill): Promise<boolean> {
	try {
		return (await realpath(first.path)) === (await realpath(second.path));
	} catch {
		return false;
	}
}

function shadowing(first: AgentSkill, second: AgentSkill): SkillDiagnostic {
	const message = `The skill ${describeValue(second.name)} is not used: ${JSON.stringify(first.path)} has the same name and comes first. Rename one of them.`;
	return Object.freeze({ severity: "warning", code: "skill_shadowed", message, path: join(second.path, SKILL_FILE) });
}
