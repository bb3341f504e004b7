import { ConfigurationError } from "../errors/configuration-error.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { AgentSkillCatalog } from "../skill/agent-skill-catalog.js";
import { checkMatching, type SkillMatch, SkillMatcher } from "../skill/matcher.js";
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

	/** Throws ConfigurationError for a skill name nobody knows, and what the embedder throws. */
	async match(message: string, signal: AbortSignal | undefined): Promise<readonly SkillMatch[]> {
		const skills = await skillsOf(this.#source);
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

async function skillsOf(source: NonNullable<RobotOptions["skills"]>): Promise<readonly AgentSkill[]> {
	if (source === "auto") return AgentSkillCatalog.instance.all();
	if (!isNames(source)) return source.all();
	return Promise.all([...new Set(source)].map(skillNamed));
}

async function skillNamed(name: string): Promise<AgentSkill> {
	const catalog = AgentSkillCatalog.instance;
	const skill = await catalog.find(name);
	if (skill !== undefined) return skill;
	const known = (await catalog.all()).map((each) => each.name);
	const hint = didYouMean(name, known);
	const names = known.length === 0 ? "The catalog is empty." : `Known: ${known.slice(0, 20).join(", ")}.`;
	throw new ConfigurationError(`There is no skill "${name}" in ${AgentSkillCatalog.SKILLS_ROOT}.${hint} ${names}`);
}

const isNames = (source: AgentSkillCatalog | readonly string[]): source is readonly string[] => Array.isArray(source);

const sameItems = (left: readonly unknown[], right: readonly unknown[]): boolean =>
	left.length === right.length && left.every((item, index) => item === right[index]);
