import type { Outcome } from "./outcome.js";
import { auroc, mean, share } from "./statistics.js";

/** A figure of outcomes. */
export type Figure = (outcomes: readonly Outcome[]) => number;

const CHARACTERS_PER_TOKEN = 4;

const hasSkill = ({ labelled }: Outcome): boolean => labelled.skill !== null;

const fittingNothing = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter((outcome) => !hasSkill(outcome));

const tokensOf = ({ offeredCharacters }: Outcome): number => offeredCharacters / CHARACTERS_PER_TOKEN;

const isRight = ({ labelled, ranked }: Outcome): boolean => ranked[0] === labelled.skill;

/** How often the right skill is among the best so many. */
export const recallAt =
	(count: number): Figure =>
	(outcomes) =>
		share(outcomes.filter(hasSkill), ({ labelled, ranked }) => ranked.slice(0, count).includes(labelled.skill ?? ""));

/** How often the right skill is active. */
export const activatedRight: Figure = (outcomes) =>
	share(outcomes.filter(hasSkill), ({ labelled, active }) => active.includes(labelled.skill ?? ""));

/** How often, where there is a right skill, another one is active. */
export const activatedWrong: Figure = (outcomes) =>
	share(outcomes.filter(hasSkill), ({ labelled, active }) => active.some((name) => name !== labelled.skill));

/** How often the model sees the right skill: it is active or a candidate. */
export const seen: Figure = (outcomes) =>
	share(outcomes.filter(hasSkill), ({ labelled, active, candidates }) => [...active, ...candidates].includes(labelled.skill ?? ""));

export const candidateCount: Figure = (outcomes) => mean(outcomes.filter(hasSkill), ({ candidates }) => candidates.length);

/** Tokens by which candidates are described, where there is a right skill: as English has them, four characters each. */
export const offeredTokens: Figure = (outcomes) => mean(outcomes.filter(hasSkill), tokensOf);

/** Figures of the messages that fit nothing. */
export const ofNothing: Readonly<Record<"activated" | "shown" | "candidateCount" | "offeredTokens", Figure>> = {
	activated: (outcomes) => share(fittingNothing(outcomes), ({ active }) => active.length > 0),
	/** How often anything is active or offered. */
	shown: (outcomes) => share(fittingNothing(outcomes), ({ active, candidates }) => active.length + candidates.length > 0),
	candidateCount: (outcomes) => mean(fittingNothing(outcomes), ({ candidates }) => candidates.length),
	offeredTokens: (outcomes) => mean(fittingNothing(outcomes), tokensOf),
};

/** Of messages for which something is active, how many have the right skill and no other. */
export const precision: Figure = (outcomes) =>
	share(
		outcomes.filter(({ active }) => active.length > 0),
		({ labelled, active }) => active.every((name) => name === labelled.skill),
	);

/** How well the confidence of the best tells a right one from a wrong one, and from the best for a message that fits nothing. */
export const confidenceAuroc: Figure = (outcomes) => {
	const confidences = (right: boolean): number[] => outcomes.filter((one) => isRight(one) === right).map(({ confidence }) => confidence);
	return auroc(confidences(true), confidences(false));
};
