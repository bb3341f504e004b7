import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { mapConcurrently } from "../process/map-concurrently.js";
import * as flaws from "./discovery-flaws.js";
import type { FoundBundle } from "./find-bundles.js";
import { isSearched, SKILL_FILE } from "./look-into.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

const MAX_DEPTH = 4;
const MAX_DIRECTORIES = 2000;
const AT_ONCE = 32;

interface Inside {
	readonly directory: string;
	readonly bundle: string;
}

/**
 * The SKILL.md files below other bundles, which are no skills: somebody may wonder where theirs are. A help and no promise: it looks four
 * directories deep and into 2,000 at most. Opens no file and never rejects.
 */
export async function nestedSkills(bundles: readonly FoundBundle[]): Promise<readonly SkillDiagnostic[]> {
	const found: SkillDiagnostic[] = [];
	let left = MAX_DIRECTORIES;
	let level: readonly Inside[] = bundles.flatMap(({ directory, subdirectories }) =>
		subdirectories.map((name) => ({ directory: join(directory, name), bundle: directory })),
	);
	for (let depth = 1; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
		const looked = level.slice(0, left);
		left -= looked.length;
		const listings = await mapConcurrently(looked, AT_ONCE, ({ directory }) => readdir(directory, { withFileTypes: true }).catch(() => []));
		level = looked.flatMap(({ directory, bundle }, index) => {
			const entries = listings[index] ?? [];
			const isSkill = entries.some((entry) => entry.name === SKILL_FILE && !entry.isDirectory());
			if (isSkill) found.push(flaws.nestedSkill(join(directory, SKILL_FILE), bundle));
			return isSkill ? [] : entries.filter(isSearched).map(({ name }) => ({ directory: join(directory, name), bundle }));
		});
	}
	return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}
