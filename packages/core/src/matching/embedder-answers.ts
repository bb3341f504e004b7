import type { Embedder } from "../embedding/embedder.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { type EmbeddingCache, storeOf } from "./embedding-cache.js";
import { MessageVectors } from "./message-vectors.js";
import type { SkillMatches } from "./skill-match.js";
import { SkillVectors } from "./skill-vectors.js";
import { type TierRules, tiersOf } from "./tiers.js";

export interface EmbedderAnswersOptions {
	readonly skills: readonly AgentSkill[];
	readonly embedder: Embedder;
	readonly topK: number;
	readonly candidates: number;
	/** Absent: the embedder's own, where it has no calibration. */
	readonly threshold?: number | undefined;
	readonly cache?: EmbeddingCache | undefined;
}

/** What one embedder says of messages. */
export class EmbedderAnswers {
	readonly #skills: readonly AgentSkill[];
	readonly #embedder: Embedder;
	readonly #rules: TierRules;
	readonly #vectors: SkillVectors;
	#messages: MessageVectors;

	constructor({ skills, embedder, cache, ...rules }: EmbedderAnswersOptions) {
		const { calibration } = embedder;
		this.#skills = skills;
		this.#embedder = embedder;
		this.#rules = { ...rules, calibration, threshold: rules.threshold ?? (calibration === undefined ? embedder.threshold : undefined) };
		this.#vectors = new SkillVectors(skills, embedder, cache && storeOf(cache));
		this.#messages = new MessageVectors(embedder);
	}

	/** What the same embedder made for other skills is not made again. To be called before anything else. */
	takeOver(earlier: EmbedderAnswers): void {
		this.#messages = earlier.#messages;
		this.#vectors.takeOver(earlier.#vectors);
	}

	/** Whether the skills have their vectors. */
	get isReady(): boolean {
		return this.#vectors.isReady;
	}

	/** Makes the vectors of the skills that are missing. Rejects with what the embedder throws. */
	prepare(): Promise<void> {
		return this.#vectors.prepare();
	}

	/** Ends the making of vectors that goes on. */
	stop(): void {
		this.#vectors.stop();
	}

	/** Rejects with what the embedder throws, and for what are no vectors. */
	async answer(text: string, signal: AbortSignal | undefined): Promise<SkillMatches> {
		const [query] = await Promise.all([this.#messages.vectorOf(text, signal), this.#vectors.prepare()]);
		if (query === undefined) return Object.freeze({ matches: Object.freeze([]), embedder: this.#embedder.id });
		await this.#vectors.prepareFor(query);
		return Object.freeze({ matches: tiersOf(this.#skills, this.#vectors.scores(query), this.#rules), embedder: this.#embedder.id });
	}
}
