import { config } from "../config/configure.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { expandPath } from "../paths/expand-path.js";
import { SKILLS_ROOT } from "../paths/skills-root.js";
import { mapConcurrently } from "../process/map-concurrently.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import type { AgentSkill } from "./agent-skill.js";
import { CatalogWatcher } from "./catalog-watcher.js";
import { nestedSkills } from "./nested-skills.js";
import type { SkillChanges } from "./repeated-scan.js";
import { type CatalogEntry, type Scan, scanRoots } from "./scan-roots.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { type SkillRoot, skillRoots } from "./skill-roots.js";
import { diagnoseNeeds } from "./skill-scripts.js";

export interface CatalogWatchOptions {
	/** Whether the process stays while it is watched. Default false. */
	readonly keepAlive?: boolean;
}

const MAX_CONCURRENT_SKILLS = 16;

/**
 * The skills below one or several directories. Reads nothing until it is asked, then once: concurrent questions share one
 * scan, and it is only repeated by {@link reload} and while somebody watches. A bundle that cannot be loaded is left out with a diagnostic and
 * hides no other. Two catalogs share nothing.
 */
export class AgentSkillCatalog {
	static readonly SKILLS_ROOT: string = SKILLS_ROOT;
	static #instance: AgentSkillCatalog | undefined;

	/** The process's catalog, of the roots that the configuration gives. */
	static get instance(): AgentSkillCatalog {
		AgentSkillCatalog.#instance ??= new AgentSkillCatalog();
		return AgentSkillCatalog.#instance;
	}

	/** Forgets the process's catalog; the next use of {@link instance} makes a new one. */
	static reset(): void {
		AgentSkillCatalog.#instance = undefined;
	}

	readonly #roots: () => readonly SkillRoot[];
	#scan: Promise<Scan> | undefined;
	#watcher: CatalogWatcher | undefined;

	/**
	 * Does no I/O.
	 *
	 * @param roots Directories below which bundles lie, at any depth up to six; `~` is expanded. Of two skills of one name the one from
	 * the earlier root counts, within a root the one whose directory comes first by path. An empty list has no skills. Default: what
	 * `skillRoots()` answers when the catalog is first asked.
	 */
	constructor(roots?: string | SkillRoot | readonly (string | SkillRoot)[]) {
		if (roots === undefined) this.#roots = skillRoots;
		else {
			const given = checkedRoots(Array.isArray(roots) ? roots : [roots]);
			this.#roots = () => given;
		}
	}

	/** The skill whose front matter has exactly this name, `undefined` when there is none. Directory names do not count. */
	async find(name: string): Promise<AgentSkill | undefined> {
		return (await this.#scanned()).entries.get(name)?.skill;
	}

	/** Every skill that could be loaded, sorted by name. */
	async all(): Promise<readonly AgentSkill[]> {
		return (await this.#scanned()).skills;
	}

	/** The same skills, each with its root and with what it hides. */
	async entries(): Promise<readonly CatalogEntry[]> {
		return [...(await this.#scanned()).entries.values()];
	}

	/** The roots, in the order in which they count, also those that are missing or not trusted. Reads the configuration where none were given. */
	roots(): readonly SkillRoot[] {
		return this.#roots();
	}

	/**
	 * What is wrong with roots and bundles, then what is doubtful about the skills that were loaded and their scripts, then what their scripts need that
	 * is not here: an interpreter that is missing once, however many need it. Always in the same order.
	 */
	async diagnostics(): Promise<readonly SkillDiagnostic[]> {
		const { skills, roots, diagnostics } = await this.#scanned();
		const nested = await nestedSkills(roots.flatMap(({ bundles }) => bundles));
		const looked = await mapConcurrently(skills, MAX_CONCURRENT_SKILLS, async (skill) => ({
			doubts: await skill.diagnostics({ needs: false }),
			inspections: await skill.inspectScripts(),
			capabilities: skill.capabilities,
		}));
		const unmet = await diagnoseNeeds(looked);
		return [...diagnostics, ...nested, ...looked.flatMap(({ doubts }) => doubts), ...unmet, ...(this.#watcher?.diagnostics ?? [])];
	}

	/** Forgets what was found: the next question looks again, at what the roots are then. Skills that were handed out stay as they were. */
	reload(): void {
		this.#scan = undefined;
		if (this.#watcher?.isStopped === true) this.#watcher = undefined;
		this.#watcher?.reload();
	}

	/**
	 * Looks again whenever something changes below the roots, also in a root that comes later, so that {@link all} and {@link find} answer
	 * what is there. Skills that were handed out stay as they were. Where the system cannot tell of changes, it looks every few seconds, and a
	 * diagnostic says so. Begins with a scan of its own. Does not keep the process alive unless it is told to.
	 *
	 * @param listener Told of the skills that came, went and changed, after each scan that found any. What it throws is a process warning.
	 * @throws ConfigurationError for options that it does not take, and where the configuration cannot be read.
	 */
	watch(listener: (changes: SkillChanges) => unknown = () => {}, options: CatalogWatchOptions = {}): Disposable {
		if (typeof listener !== "function") {
			throw new ConfigurationError(`AgentSkillCatalog.watch takes a function that is told of changes, not ${describeValue(listener)}.`);
		}
		checkNames("AgentSkillCatalog.watch", options, ["keepAlive"]);
		// What cannot be read is thrown here, to who asks; the looks that follow have nobody to tell.
		config();
		if (this.#watcher === undefined || this.#watcher.isStopped) this.#watcher = new CatalogWatcher(this.#roots);
		return { [Symbol.dispose]: this.#watcher.add(listener, options.keepAlive === true) };
	}

	#scanned(): Promise<Scan> {
		if (this.#watcher !== undefined) return this.#watcher.current;
		this.#scan ??= this.#looked();
		return this.#scan;
	}

	async #looked(): Promise<Scan> {
		try {
			return await scanRoots(this.#roots());
		} catch (error) {
			// A configuration that cannot be read may be mended.
			this.#scan = undefined;
			throw error;
		}
	}
}

function checkedRoots(roots: readonly unknown[]): readonly SkillRoot[] {
	const byPath = new Map<string, SkillRoot>();
	for (const given of roots) {
		const root = isRecord(given) ? given : { path: given, scope: "own" };
		if (typeof root.path !== "string" || root.path === "") {
			throw new ConfigurationError(`A root of AgentSkillCatalog must be the path of a directory, not ${describeValue(given)}.`);
		}
		if (!["own", "project", "user"].includes(root.scope as string)) {
			throw new ConfigurationError(
				`The scope of a root of AgentSkillCatalog is own, project or user, not ${describeValue(root.scope)}. Give the path alone, or the root as skillRoots() answers it.`,
			);
		}
		if ((root.scope === "project") !== isRecord(root.project)) {
			throw new ConfigurationError("A root of a project, and no other, says whose it is: take it as skillRoots() answers it.");
		}
		const path = expandPath(root.path);
		if (!byPath.has(path)) byPath.set(path, Object.freeze({ ...root, path }) as SkillRoot);
	}
	return Object.freeze([...byPath.values()]);
}

/** The directories of a catalog, as they are written in a sentence. */
export const listOfRoots = (catalog: AgentSkillCatalog): string =>
	catalog
		.roots()
		.map(({ path }) => path)
		.join(", ") || "no directory";
