import type { AgentSkill } from "@robot-lab/core";
import { numbers } from "../benchmarks/many-skills.js";
import type { LabelledMessage } from "./labelled-messages.js";
import type { Outcome } from "./outcome.js";
import type { Scorer } from "./scorers.js";

const SMALLER = [5, 10, 20] as const;
/** Catalogues that are drawn of each smaller size. */
const DRAWS = 20;
const SEED = 11;

/** What becomes of the messages in a catalogue of another size. */
export interface SizeOutcomes {
	readonly skills: number;
	readonly outcomes: readonly Outcome[];
}

/**
 * Smaller catalogues have some of the skills, and the messages that fit one of them or nothing. Larger ones have strangers' skills, too, of which one may fit
 * as well as the labelled one: what is wrong there is counted too high.
 */
export async function sizeOutcomes(
	scorer: Scorer,
	messages: readonly LabelledMessage[],
	skills: readonly AgentSkill[],
	strangers: readonly AgentSkill[],
): Promise<readonly SizeOutcomes[]> {
	const sizes: SizeOutcomes[] = [];
	for (const size of SMALLER) {
		const outcomes: Outcome[] = [];
		const next = numbers(SEED);
		for (let draw = 0; draw < DRAWS; draw += 1) {
			const drawn = drawnFrom(skills, size, next);
			const names = new Set(drawn.map(({ name }) => name));
			const asked = messages.filter(({ skill }) => skill === null || names.has(skill));
			outcomes.push(...(await scorer.outcomes(asked, drawn)));
		}
		sizes.push({ skills: size, outcomes });
	}
	sizes.push({ skills: skills.length, outcomes: await scorer.outcomes(messages, skills) });
	const taken = new Set(skills.map(({ name }) => name));
	const others = strangers.filter(({ name }) => !taken.has(name));
	for (const count of new Set([Math.min(250, others.length), others.length])) {
		if (count === 0) continue;
		const all = [...skills, ...drawnFrom(others, count, numbers(SEED))];
		sizes.push({ skills: all.length, outcomes: await scorer.outcomes(messages, all) });
	}
	return sizes;
}

function drawnFrom<Item>(items: readonly Item[], count: number, next: () => number): readonly Item[] {
	const left = [...items];
	return Array.from({ length: count }, () => left.splice(Math.floor(next() * left.length), 1)[0] as Item);
}
