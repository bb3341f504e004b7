import { ConfigurationError } from "../errors/configuration-error.js";
import { checkMatching, type SkillMatch, SkillMatcher } from "../matching/skill-matcher.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { AgentSkillCatalog } from "../skill/agent-skill-catalog.js";
import { didYouMean } from "../text/nearest-names.js";
import type { RobotOptions, SkillMatching } from "./robot-options.js";

/** Chooses a message's skills. The skills are looked up for every message, their embeddings kept as long as they are the same. */
export class RobotSkills {
	readonly #source: NonNullable<RobotOptions["skills"]>;
	readonly #matching: SkillMatching;
	#matcher: SkillMatcher | undefined;

	/** Throws ConfigurationError for what is no source of skills, and for a matching that cannot be. */
	constructor(source: NonNullable<RobotOptions["skills"]>, matching: SkillMatching) {
		checkSource(source);
		checkMatching(matching);
		this.#source = source;
		this.#matching = matching;
	}

	/** Looked up for every run: the process's catalog may be another by then. */
	get #catalog(): AgentSkillCatalog {
		return isCatalog(this.#source) ? this.#source : AgentSkillCatalog.instance;
	}

	/** The skills that have one of these names, by it. */
	async find(names: readonly string[]): Promise<ReadonlyMap<string, AgentSkill>> {
		const catalog = this.#catalog;
		const found = await Promise.all(names.map(async (name) => [name, await catalog.find(name)] as const));
		return new Map(found.filter((entry): entry is readonly [string, AgentSkill] => entry[1] !== undefined));
	}

	/** What is thrown for a name nobody knows. */
	async unknown(name: string, templates: { readonly path: string; readonly ids: readonly string[] }): Promise<ConfigurationError> {
		const skills = (await this.#catalog.all()).map((each) => each.name);
		const known = [...new Set([...skills, ...templates.ids])];
		const names = known.length === 0 ? "The catalog is empty." : `Known: ${known.slice(0, 20).join(", ")}.`;
		const place = isCatalog(this.#source) ? "the robot's catalog" : AgentSkillCatalog.SKILLS_ROOT;
		const besides = templates.ids.length === 0 ? "" : `, and no template of that name in ${templates.path}`;
		return new ConfigurationError(`There is no skill "${name}" in ${place}${besides}.${didYouMean(name, known)} ${names}`);
	}

	/**
	 * Chooses among `named`, or among all of the catalog where the robot has all of one. Throws what the embedder throws.
	 *
	 * @param named The skills that the robot and its templates name.
	 */
	async match(message: string, named: readonly AgentSkill[], signal: AbortSignal | undefined): Promise<readonly SkillMatch[]> {
		const skills = isNames(this.#source) ? named : await this.#catalog.all();
		if (skills.length === 0) return [];
		if (this.#matcher === undefined || !sameItems(this.#matcher.skills, skills)) {
			this.#matcher = new SkillMatcher({ skills, ...this.#matching });
		}
		return this.#matcher.match(message, { ...(signal && { signal }) });
	}
}

function checkSource(source: unknown): void {
	if (source === "auto" || (Array.isArray(source) && source.every((name) => typeof name === "string"))) return;
	if (typeof source === "object" && source !== null && "all" in source && typeof source.all === "function") return;
	const hint = typeof source === "string" ? ` For one skill write skills: [${JSON.stringify(source)}].` : "";
	throw new ConfigurationError(`skills must be an AgentSkillCatalog, an array of skill names or "auto".${hint}`);
}

const isNames = (source: NonNullable<RobotOptions["skills"]>): source is readonly string[] => Array.isArray(source);

const isCatalog = (source: NonNullable<RobotOptions["skills"]>): source is AgentSkillCatalog => source !== "auto" && !isNames(source);

const sameItems = (left: readonly unknown[], right: readonly unknown[]): boolean =>
	left.length === right.length && left.every((item, index) => item === right[index]);
