import type { AgentSkill, Embedder } from "@robot-lab/core";

/** Skills with names and descriptions of made-up words, as long as real ones. A matcher reads no more of a skill. */
export function manySkills(count: number): readonly AgentSkill[] {
	const next = numbers(count);
	const word = (): string =>
		Array.from({ length: 1 + Math.floor(next() * 3) }, () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join("");
	return Array.from({ length: count }, (_, index) => {
		const description = Array.from({ length: 22 }, word).join(" ");
		return { name: `skill-${index}-${word()}`, description, metadata: {} } as unknown as AgentSkill;
	});
}

/** Vectors as a model gives them, without the time that it takes. */
export function readyEmbedder(dimensions: number): Embedder {
	const next = numbers(dimensions);
	return {
		id: `ready-${dimensions}`,
		embed: async (texts) => texts.map(() => Float32Array.from({ length: dimensions }, () => next() - 0.5)),
	};
}

const SYLLABLES: readonly string[] = [..."bdfgklmnprst"].flatMap((first) =>
	[..."aeiou"].map((vowel) => `${first}${vowel}${first === "s" ? "t" : ""}`),
);

/** Reproducible numbers from 0 to 1. */
export function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
