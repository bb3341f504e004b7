import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { expandPath } from "../paths/expand-path.js";
import { SKILLS_ROOT } from "../paths/skills-root.js";
import { describeValue } from "../text/describe-value.js";
import type { AgentSkill } from "./agent-skill.js";
import { mapConcurrently } from "./map-concurrently.js";
import { scanRoot } from "./scan-root.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

interface Scan {
	readonly byName: ReadonlyMap<string, AgentSkill>;
	readonly sorted: readonly AgentSkill[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

const MAX_CONCURRENT_SKILLS = 16;

/**
 * The skills below one or several directories. Reads nothing until it is asked, then once: concurrent questions share one
 * scan, and it is never repeated. A bundle that cannot be loaded is left out with a diagnostic and hides no other.
 */
export class AgentSkillCatalog {
	static readonly SKILLS_ROOT: string = SKILLS_ROOT;
	static #instance: AgentSkillCatalog | undefined;

	/** The process's catalog, of {@link SKILLS_ROOT}. */
	static get instance(): AgentSkillCatalog {
		AgentSkillCatalog.#instance ??= new AgentSkillCatalog();
		return AgentSkillCatalog.#instance;
	}

	/** Forgets the process's catalog; the next use of {@link instance} makes a new one. */
	static reset(): void {
		AgentSkillCatalog.#instance = undefined;
	}

	readonly #roots: readonly string[];
	#scan: Promise<Scan> | undefined;

	/**
	 * Does no I/O.
	 *
	 * @param roots Directories whose subdirectories are bundles; `~` is expanded. Of two skills of one name the one from
	 * the earlier root counts, within a root the one whose directory comes first by name. An empty list has no skills.
	 */
	constructor(roots: string | readonly string[] = SKILLS_ROOT) {
		const list: readonly unknown[] = Array.isArray(roots) ? roots : [roots];
		const strange = list.find((root) => typeof root !== "string" || root === "");
		if (list.includes(strange)) {
			throw new ConfigurationError(`A root of AgentSkillCatalog must be the path of a directory, not ${describeValue(strange)}.`);
		}
		this.#roots = [...new Set(list.map((root) => expandPath(root as string)))];
	}

	/** The skill whose front matter has exactly this name, `undefined` when there is none. Directory names do not count. */
	async find(name: string): Promise<AgentSkill | undefined> {
		return (await this.#scanned()).byName.get(name);
	}

	/** Every skill that could be loaded, sorted by name. */
	async all(): Promise<readonly AgentSkill[]> {
		return (await this.#scanned()).sorted;
	}

	/** What is wrong with roots and bundles, then what is doubtful about the skills that were loaded and their scripts. Always in the same order. */
	async diagnostics(): Promise<readonly SkillDiagnostic[]> {
		const { sorted, diagnostics } = await this.#scanned();
		const doubts = await mapConcurrently(sorted, MAX_CONCURRENT_SKILLS, (skill) => skill.diagnostics());
		return [...diagnostics, ...doubts.flat()];
	}

	#scanned(): Promise<Scan> {
		this.#scan ??= scan(this.#roots);
		return this.#scan;
	}
}

async function scan(roots: readonly string[]): Promise<Scan> {
	const scanned = await Promise.all(roots.map((root) => scanRoot(root)));
	const byName = new Map<string, AgentSkill>();
	const shadowed: SkillDiagnostic[] = [];
	for (const skill of scanned.flatMap(({ skills }) => skills)) {
		const first = byName.get(skill.name);
		if (first === undefined) byName.set(skill.name, skill);
		else if (!(await isSameBundle(first, skill))) shadowed.push(shadowing(first, skill));
	}
	const names = [...byName.keys()].sort();
	return {
		byName,
		sorted: Object.freeze(names.map((name) => byName.get(name) as AgentSkill)),
		diagnostics: [...scanned.flatMap(({ diagnostics }) => diagnostics), ...shadowed],
	};
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
	return Object.freeze({ severity: "warning", code: "skill_shadowed", message, path: join(second.path, "SKILL.md") });
}
