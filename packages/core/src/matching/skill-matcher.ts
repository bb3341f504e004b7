import type { Calibration, Embedder, EmbedOptions } from "../embedding/embedder.js";
import { lexicalEmbedder } from "../embedding/lexical-embedder.js";
import { checkCount, checkFinite } from "../options/check-numbers.js";
import type { AgentSkill } from "../skill/agent-skill.js";

const DEFAULT_TOP_K = 3;

type Vector = readonly number[] | Float32Array;

/** A skill that fits a message. */
export interface SkillMatch {
	readonly skill: AgentSkill;
	/** Cosine of the message and the skill's name and description: 1 is the same text, 0 nothing in common. */
	readonly score: number;
	/** How likely the skill is the right one, from 0 to 1. Only as good as the embedder's calibration. */
	readonly confidence: number;
}

export interface SkillMatcherOptions {
	readonly skills: readonly AgentSkill[];
	/** Default: {@link lexicalEmbedder}. */
	readonly embedder?: Embedder;
	/** The most skills one message matches. Default 3. */
	readonly topK?: number;
	/** The score from which a skill matches, inclusive. Default: the embedder's own. */
	readonly threshold?: number;
}

/** Throws ConfigurationError for a `topK` below 1 or a `threshold` that is no number. What is absent has a default. */
export function checkMatching({ topK = DEFAULT_TOP_K, threshold = 0 }: Pick<SkillMatcherOptions, "topK" | "threshold">): void {
	checkCount("topK", topK, 1);
	checkFinite("threshold", threshold);
}

/** Finds the skills that fit a message by the similarity of their embeddings. The skills are embedded once, when they are first needed. */
export class SkillMatcher {
	readonly skills: readonly AgentSkill[];
	readonly #embedder: Embedder;
	readonly #topK: number;
	readonly #threshold: number;
	#vectors: Promise<readonly Vector[]> | undefined;

	/** Throws ConfigurationError for a `topK` below 1 or a `threshold` that is no number. */
	constructor({ skills, embedder = lexicalEmbedder(), topK = DEFAULT_TOP_K, threshold = embedder.threshold ?? 0 }: SkillMatcherOptions) {
		checkMatching({ topK, threshold });
		this.skills = skills;
		this.#embedder = embedder;
		this.#topK = topK;
		this.#threshold = threshold;
	}

	/**
	 * The best matches, best first, equal scores by name. A score of 0 or less never matches, whatever the threshold. Rejects with
	 * what the embedder throws; the next call then embeds the skills again.
	 */
	async match(message: string, options: EmbedOptions = {}): Promise<readonly SkillMatch[]> {
		if (this.skills.length === 0) return [];
		const [vectors, [query = []]] = await Promise.all([this.#skillVectors(), this.#embed([message], options)]);
		const ranked = this.skills
			.map((skill, index) => ({ skill, score: cosine(query, vectors[index] ?? []) }))
			.sort((left, right) => right.score - left.score || compareNames(left.skill.name, right.skill.name));
		return ranked
			.map((match, index) => ({
				...match,
				confidence: confidence(match.score, ranked[index === 0 ? 1 : 0]?.score ?? 0, this.#embedder.calibration),
			}))
			.slice(0, this.#topK)
			.filter(({ score }) => score > 0 && score >= this.#threshold);
	}

	/** Shared by overlapping calls, so that no one call's signal may end it. */
	#skillVectors(): Promise<readonly Vector[]> {
		this.#vectors ??= this.#embed(this.skills.map(documentOf), {}).catch((error) => {
			this.#vectors = undefined;
			throw error;
		});
		return this.#vectors;
	}

	async #embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Vector[]> {
		const vectors = await this.#embedder.embed(texts, options);
		if (vectors.length === texts.length) return vectors;
		throw new Error(`the embedder "${this.#embedder.id}" gave ${vectors.length} vectors for ${texts.length} texts`);
	}
}

/** What a skill is found by. The name counts: people use it, above all for what exists in their house only. */
const documentOf = ({ name, description }: AgentSkill): string => `${name.replaceAll(/[-_]+/g, " ")}. ${description}`;

function cosine(left: Vector, right: Vector): number {
	let dot = 0;
	let leftSquare = 0;
	let rightSquare = 0;
	for (let index = 0; index < left.length; index++) {
		const a = left[index] ?? 0;
		const b = right[index] ?? 0;
		dot += a * b;
		leftSquare += a * a;
		rightSquare += b * b;
	}
	return leftSquare === 0 || rightSquare === 0 ? 0 : dot / Math.sqrt(leftSquare * rightSquare);
}

function confidence(score: number, rival: number, calibration: Calibration | undefined): number {
	if (calibration === undefined) return Math.min(1, Math.max(0, score));
	const { bias, score: byScore, margin } = calibration;
	return 1 / (1 + Math.exp(-(bias + byScore * score + margin * (score - rival))));
}

const compareNames = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
