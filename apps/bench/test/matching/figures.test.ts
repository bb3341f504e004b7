import { expect, test } from "vitest";
import {
	activatedRight,
	activatedWrong,
	candidateCount,
	confidenceAuroc,
	offeredTokens,
	ofNothing,
	precision,
	recallAt,
	seen,
} from "../../src/matching/figures.js";
import type { Outcome } from "../../src/matching/outcome.js";

const outcomes: readonly Outcome[] = [
	outcome("a", { ranked: ["a", "b"], confidence: 0.9, active: ["a"], candidates: ["b"] }),
	outcome("b", { ranked: ["a", "b"], confidence: 0.7, active: ["a", "b"], candidates: ["c"] }),
	outcome("c", { ranked: ["a", "b", "d", "c"], confidence: 0.2, candidates: ["a", "b"] }),
	outcome("d", {}),
	outcome(null, { ranked: ["b"], confidence: 0.8, active: ["b"] }),
	outcome(null, { ranked: ["b"], confidence: 0.1, candidates: ["b"] }),
	outcome(null, {}),
];

test("what is not in the order is not found, however many are looked at", () => {
	expect([1, 2, 3, 4, 99].map((count) => recallAt(count)(outcomes))).toEqual([0.25, 0.5, 0.5, 0.75, 0.75]);
});

test("messages that fit nothing do not count among those that fit something", () => {
	expect([activatedRight, activatedWrong, seen, candidateCount].map((figure) => figure(outcomes))).toEqual([0.5, 0.25, 0.5, 1]);
});

test("nor the others among those that fit nothing", () => {
	expect([ofNothing.activated, ofNothing.shown, ofNothing.candidateCount].map((figure) => figure(outcomes))).toEqual([1 / 3, 2 / 3, 1 / 3]);
});

test("an activation is right where the right skill is active and no other", () => {
	expect(precision(outcomes)).toBe(1 / 3);
});

test("a confidence in a wrong skill and one where nothing fits count against it alike", () => {
	expect(confidenceAuroc(outcomes)).toBe(1);
	expect(confidenceAuroc([...outcomes, outcome(null, { ranked: ["a"], confidence: 0.95 })])).toBeCloseTo(6 / 7);
});

test("a token is four characters", () => {
	const described = [
		{ ...outcome("a", {}), offeredCharacters: 80 },
		{ ...outcome(null, {}), offeredCharacters: 40 },
	];
	expect([offeredTokens(described), ofNothing.offeredTokens(described)]).toEqual([20, 10]);
});

function outcome(skill: string | null, given: Partial<Outcome>): Outcome {
	const labelled = { message: "", skill, kind: skill === null ? "none-far" : "plain" } as const;
	return { labelled, ranked: [], confidence: 0, active: [], candidates: [], offeredCharacters: 0, ...given };
}
