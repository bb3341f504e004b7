import { type AgentSkill, type Calibration, type Embedder, SkillMatcher } from "@robot-lab/core";
import type { LabelledMessage } from "./labelled-messages.js";

/** An embedder whose scores become confidences. */
export type CalibratedEmbedder = Embedder & { readonly calibration: Calibration };

/** What became of a message. */
export interface Outcome {
	readonly labelled: LabelledMessage;
	/** The names of all skills that have anything in common with it, best first. */
	readonly ranked: readonly string[];
	/** Of the best, 0 where there is none. */
	readonly confidence: number;
	/** What a robot with the default options gets. */
	readonly active: readonly string[];
	readonly candidates: readonly string[];
	/** Characters by which the candidates are described to the model. */
	readonly offeredCharacters: number;
}

/** Asks core's matcher twice: with its default options, and for the whole order. */
export async function outcomesOf(
	messages: readonly LabelledMessage[],
	skills: readonly AgentSkill[],
	embedder: CalibratedEmbedder,
): Promise<readonly Outcome[]> {
	const matcher = new SkillMatcher({ skills, embedder, fallback: false });
	const offersAll = { ...embedder, calibration: { ...embedder.calibration, offer: 0 } };
	const ordering = new SkillMatcher({ skills, embedder: offersAll, candidates: skills.length, fallback: false });
	const outcomes: Outcome[] = [];
	for (const labelled of messages) {
		const [matches, order] = [await matcher.match(labelled.message), await ordering.match(labelled.message)];
		const candidates = matches.filter(({ tier }) => tier === "candidate").map(({ skill }) => skill);
		outcomes.push({
			labelled,
			ranked: order.map(({ skill }) => skill.name),
			confidence: order[0]?.confidence ?? 0,
			active: matches.filter(({ tier }) => tier === "active").map(({ skill }) => skill.name),
			candidates: candidates.map(({ name }) => name),
			offeredCharacters: candidates.reduce((sum, skill) => sum + charactersOf(skill), 0),
		});
	}
	return outcomes;
}

/** As `load_skill` describes a skill: a line, of a description at most 300 characters. */
const charactersOf = ({ name, description }: AgentSkill): number => `- ${name}: \n`.length + Math.min(300, description.length);

/** The same embedder, which is asked for each text once. */
export function remembering(embedder: CalibratedEmbedder): CalibratedEmbedder {
	const kept = new Map<string, readonly number[] | Float32Array>();
	return {
		...embedder,
		embed: async (texts) => {
			const missing = [...new Set(texts)].filter((text) => !kept.has(text));
			const vectors = missing.length === 0 ? [] : await embedder.embed(missing);
			for (const [at, text] of missing.entries()) kept.set(text, vectors[at] ?? []);
			return texts.map((text) => kept.get(text) ?? []);
		},
	};
}
