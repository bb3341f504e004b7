import { existsSync } from "node:fs";
import { join } from "node:path";
import { physicalPath } from "../capability/grant-path.js";
import type { SkillGrant } from "../config/config.js";
import { config } from "../config/configure.js";
import { expandPath } from "../paths/expand-path.js";
import { SKILL_FILE } from "./look-into.js";
import { type SkillDiagnostic, warning } from "./skill-diagnostic.js";

/** What the configuration grants, where it really lies. */
export interface GrantedPlaces {
	/** By the real path of the bundle's directory. */
	readonly grants: ReadonlyMap<string, SkillGrant>;
	/** What grants nothing to anybody. */
	readonly diagnostics: readonly SkillDiagnostic[];
}

const NONE: GrantedPlaces = { grants: new Map(), diagnostics: [] };

/** Looks where the directories of `skills.grants` lead now. Never throws for what is there. */
export function grantedPlaces(configured: Readonly<Record<string, SkillGrant>> = config().skills.grants): GrantedPlaces {
	const entries = Object.entries(configured);
	if (entries.length === 0) return NONE;
	const grants = new Map<string, SkillGrant>();
	const diagnostics: SkillDiagnostic[] = [];
	for (const [directory, grant] of entries) {
		const place = physicalPath(directory);
		if (place.reason !== undefined || !existsSync(join(place.real, SKILL_FILE)))
			diagnostics.push(naming("grant_without_skill", NO_SKILL, directory));
		else if (grants.has(place.real)) diagnostics.push(naming("grant_repeated", REPEATED, directory));
		else grants.set(place.real, grant);
	}
	return { grants, diagnostics };
}

const NO_SKILL = "and no skill lies there, so that this grants nothing. Name the directory that its SKILL.md lies in, or take it out.";
const REPEATED = "which is a directory that it has under another name, too, and the first one counts. Take one of them out.";

const naming = (code: string, flaw: string, directory: string): SkillDiagnostic =>
	warning({ code, message: `skills.grants names ${JSON.stringify(directory)}, ${flaw}`, path: absolute(directory) });

function absolute(directory: string): string {
	try {
		return expandPath(directory);
	} catch {
		// Without a home directory "~" stays what it is.
		return directory;
	}
}
