import type { Embedder } from "../embedding/embedder.js";
import { checkEmbedder } from "../embedding/embedder-check.js";
import { lexicalEmbedder } from "../embedding/lexical-embedder.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkCount, checkFinite } from "../options/check-numbers.js";
import { checkMs, checkNames } from "../options/check-options.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { describeValue } from "../text/describe-value.js";
import { type EmbeddingCache, storeOf } from "./embedding-cache.js";

/** Which skills are matched, and how. */
export interface SkillMatcherOptions {
	readonly skills: readonly AgentSkill[];
	/** What makes vectors of the message and of the skills' texts. Default: `lexicalEmbedder()`, which needs no model. */
	readonly embedder?: Embedder | undefined;
	/** The most skills that one message activates, 1 or more. Default 3. */
	readonly topK?: number | undefined;
	/** The most skills besides those that the model is to decide about, 0 or more. Default 6. */
	readonly candidates?: number | undefined;
	/**
	 * The score from which a skill is active, inclusive: a cosine, or with example messages a mean of two; its range is the embedder's, mostly 0 to 1. Default: the
	 * confidence decides, and of an embedder without a calibration its own threshold.
	 */
	readonly threshold?: number | undefined;
	/** What answers where the embedder fails or is slow. Default: `lexicalEmbedder()`. `false`: nothing does; failures are thrown, and it is waited for. */
	readonly fallback?: Embedder | false | undefined;
	/** How long a message waits for the embedder before the fallback answers, in milliseconds, 1 or more. Default 2,000. */
	readonly timeoutMs?: number | undefined;
	/** Where vectors of the skills' texts are kept on disk. Default: nowhere. */
	readonly cache?: EmbeddingCache | undefined;
}

/** Options with their defaults. */
export interface ResolvedMatcherOptions {
	readonly skills: readonly AgentSkill[];
	readonly embedder: Embedder;
	readonly topK: number;
	readonly candidates: number;
	readonly threshold: number | undefined;
	readonly fallback: Embedder | undefined;
	readonly timeoutMs: number;
	readonly cache: EmbeddingCache | undefined;
}

const NAMES: readonly (keyof SkillMatcherOptions)[] = [
	"skills",
	"embedder",
	"topK",
	"candidates",
	"threshold",
	"fallback",
	"timeoutMs",
	"cache",
];

const DEFAULT_TIMEOUT_MS = 2_000;

/** Throws ConfigurationError, beginning with `what`, for one that is unknown or cannot be. */
export function checkMatcherOptions(options: SkillMatcherOptions, what = "new SkillMatcher()"): ResolvedMatcherOptions {
	checkNames(what, options, NAMES);
	const {
		skills,
		embedder = lexicalEmbedder(),
		topK = 3,
		candidates = 6,
		threshold,
		fallback,
		timeoutMs = DEFAULT_TIMEOUT_MS,
		cache,
	} = options;
	if (!Array.isArray(skills)) throw new ConfigurationError(`${what}: skills must be a list of skills, got ${describeValue(skills)}.`);
	for (const skill of skills) checkSkill(what, skill);
	checkEmbedder(what, embedder);
	if (fallback !== undefined && fallback !== false) checkEmbedder(`${what}: fallback`, fallback);
	checkCount(`${what}: topK`, topK, 1);
	checkCount(`${what}: candidates`, candidates, 0);
	if (threshold !== undefined) checkFinite(`${what}: threshold`, threshold);
	checkMs(`${what}: timeoutMs`, timeoutMs, 1);
	if (cache !== undefined && storeOf(cache) === undefined)
		throw new ConfigurationError(
			`${what}: cache must be an EmbeddingCache, got ${describeValue(cache)}. Write new EmbeddingCache({ directory }).`,
		);
	return { skills, embedder, topK, candidates, threshold, fallback: fallbackOf(embedder, fallback), timeoutMs, cache };
}

function checkSkill(what: string, skill: AgentSkill): void {
	if (typeof skill?.name === "string" && typeof skill.description === "string") return;
	throw new ConfigurationError(`${what}: skills must be AgentSkills, as a catalog has them, got ${describeValue(skill)} among them.`);
}

/** None beside itself: it would fail, too, and take as long. */
function fallbackOf(embedder: Embedder, fallback: Embedder | false | undefined): Embedder | undefined {
	const other = fallback ?? lexicalEmbedder();
	return other === false || other.id === embedder.id ? undefined : other;
}
