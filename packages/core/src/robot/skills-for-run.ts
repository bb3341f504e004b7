import { config } from "../config/configure.js";
import type { Embedder } from "../embedding/embedder.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { type ChosenSkill, chooseSkills } from "../matching/choose-skills.js";
import { loadEmbedder } from "../matching/load-embedder.js";
import { SkillMatcher } from "../matching/skill-matcher.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { AgentSkillCatalog, listOfRoots } from "../skill/agent-skill-catalog.js";
import type { SkillSource } from "../skill/skill-source.js";
import type { MatcherFallback } from "../stream/stream-event.js";
import { didYouMean } from "../text/nearest-names.js";
import type { RobotOptions, SkillMatching } from "./robot-options.js";

/** What a message's skills are chosen from. */
export interface SkillQuestion {
	readonly skills: readonly AgentSkill[];
	readonly asked: readonly AgentSkill[];
	readonly signal: AbortSignal | undefined;
}

/** What a message's skills came to, and who matched them. */
export interface SkillAnswer {
	readonly chosen: readonly ChosenSkill[];
	readonly embedder: string;
	readonly fallback?: MatcherFallback;
}

/** Chooses a message's skills. The skills are looked up for every message, their embeddings kept as long as they are the same. */
export class RobotSkills {
	readonly #source: NonNullable<RobotOptions["skills"]>;
	readonly #matching: SkillMatching;
	#matcher: SkillMatcher | undefined;
	/** What the matcher was made with, besides the skills: the configuration may say another. */
	#matcherKey: readonly unknown[] = [];
	#loaded: { readonly name: string; readonly embedder: Promise<Embedder> } | undefined;

	/** Throws ConfigurationError for what is no source of skills. */
	constructor(source: NonNullable<RobotOptions["skills"]>, matching: SkillMatching) {
		checkSource(source);
		this.#source = source;
		this.#matching = matching;
	}

	/** Looked up for every run: the process's catalog may be another by then. */
	get #catalog(): SkillSource {
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
		const place = isCatalog(this.#source) ? "the robot's catalog" : listOfRoots(AgentSkillCatalog.instance);
		const besides = templates.ids.length === 0 ? "" : `, and no template of that name in ${templates.path}`;
		return new ConfigurationError(`There is no skill "${name}" in ${place}${besides}.${didYouMean(name, known)} ${names}`);
	}

	/** Those that a message is matched against: `named`, or all of the catalog where the robot has all of one. */
	async pool(named: readonly AgentSkill[]): Promise<readonly AgentSkill[]> {
		return isNames(this.#source) ? named : this.#catalog.all();
	}

	/**
	 * What fits a message of `skills`, with those that are active whatever it says. Throws what the embedder throws.
	 *
	 * @param asked The skills that the run or the message names.
	 */
	async choose(message: string, { skills, asked, signal }: SkillQuestion): Promise<SkillAnswer> {
		const { activation = config().skills.activation, maxBytes = config().skills.maxBytes } = this.#matching;
		const matcher = await this.#matcherOf(skills);
		const { matches, ...answered } = await matcher.matchWithReasons(message, { ...(signal && { signal }) });
		return { ...answered, chosen: chooseSkills({ named: asked, matches, activation, maxBytes }) };
	}

	/** Ends what the matcher does when no message waits for it. */
	stop(): void {
		this.#matcher?.stop();
	}

	/** The same as long as the skills are; with other skills it keeps what it knows of those that both have. */
	async #matcherOf(skills: readonly AgentSkill[]): Promise<SkillMatcher> {
		const embedder = this.#matching.embedder ?? (await this.#configuredEmbedder());
		const { topK = config().skills.topK, candidates = config().skills.candidates, threshold, fallback, cache, timeoutMs } = this.#matching;
		const key = [embedder, topK, candidates];
		const isSame = sameItems(key, this.#matcherKey);
		if (isSame && this.#matcher !== undefined && sameItems(this.#matcher.skills, skills)) return this.#matcher;
		this.#matcher =
			isSame && this.#matcher
				? this.#matcher.withSkills(skills)
				: new SkillMatcher({ skills, embedder, topK, candidates, threshold, fallback, cache, timeoutMs });
		this.#matcherKey = key;
		return this.#matcher;
	}

	/** Loaded once for each name that is configured. What cannot be loaded is tried again by the next message. */
	#configuredEmbedder(): Promise<Embedder> | undefined {
		const name = config().skills.embedder;
		if (name === undefined) return undefined;
		if (this.#loaded?.name !== name) {
			const loading = loadEmbedder(name);
			this.#loaded = { name, embedder: loading };
			loading.catch(() => {
				this.#loaded = undefined;
			});
		}
		return this.#loaded.embedder;
	}
}

function checkSource(source: unknown): void {
	if (source === "auto" || (Array.isArray(source) && source.every((name) => typeof name === "string"))) return;
	const { all, find } = (typeof source === "object" && source !== null ? source : {}) as Record<keyof SkillSource, unknown>;
	if (typeof all === "function" && typeof find === "function") return;
	const hint = typeof source === "string" ? ` For one skill write skills: [${JSON.stringify(source)}].` : "";
	throw new ConfigurationError(
		`skills must be an AgentSkillCatalog or what has its find() and all(), an array of skill names, or "auto".${hint}`,
	);
}

const isNames = (source: NonNullable<RobotOptions["skills"]>): source is readonly string[] => Array.isArray(source);

const isCatalog = (source: NonNullable<RobotOptions["skills"]>): source is SkillSource => source !== "auto" && !isNames(source);

const sameItems = (left: readonly unknown[], right: readonly unknown[]): boolean =>
	left.length === right.length && left.every((item, index) => item === right[index]);
