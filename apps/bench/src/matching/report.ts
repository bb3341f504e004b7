import { markdownTable } from "../markdown-table.js";
import type { SizeOutcomes } from "./catalogue-sizes.js";
import {
	activatedRight,
	activatedWrong,
	candidateCount,
	confidenceAuroc,
	type Figure,
	offeredTokens,
	ofNothing,
	precision,
	recallAt,
	seen,
} from "./figures.js";
import { FITTING_KINDS } from "./labelled-messages.js";
import type { Outcome } from "./outcome.js";
import { estimate } from "./statistics.js";

/** What a scorer made of the messages. */
export interface Scored {
	readonly scorer: string;
	readonly outcomes: readonly Outcome[];
}

/** Where the right skill stands in the order, with intervals, and how well the confidence tells right from wrong. */
export function orderTable(scored: readonly Scored[]): string {
	const head = ["", "top 1", "recall at 3", "at 5", "at 8", ...FITTING_KINDS.map((kind) => `${kind}, top 1`), "AUROC"];
	const rows = scored.map(({ scorer, outcomes }) => [
		scorer,
		...[1, 3, 5, 8].map((count) => withInterval(outcomes, recallAt(count))),
		...FITTING_KINDS.map((kind) => percent(recallAt(1)(outcomes.filter(({ labelled }) => labelled.kind === kind)))),
		outcomes.some(({ confidence }) => confidence > 0) ? confidenceAuroc(outcomes).toFixed(2) : "",
	]);
	return markdownTable(head, rows);
}

/** What a robot with the default options does with the messages. */
export function tierTable(scored: readonly Scored[]): string {
	const head = [
		"",
		"right one active",
		"another active",
		"right one active or offered",
		"offered, skills",
		"offered, tokens",
		"fits nothing, near: active",
		"fits nothing, far: active",
		"fits nothing: active or offered",
		"offered, skills",
	];
	const rows = scored.map(({ scorer, outcomes }) => [
		scorer,
		...[activatedRight, activatedWrong, seen].map((figure) => withInterval(outcomes, figure)),
		candidateCount(outcomes).toFixed(1),
		offeredTokens(outcomes).toFixed(0),
		...(["none-near", "none-far"] as const).map((kind) => activeOf(outcomes.filter(({ labelled }) => labelled.kind === kind))),
		withInterval(outcomes, ofNothing.shown),
		ofNothing.candidateCount(outcomes).toFixed(1),
	]);
	return markdownTable(head, rows);
}

/** By how many points of a hundred the second is better than the first, the same messages drawn for both. */
export function differenceTable(pairs: readonly (readonly [Scored, Scored])[]): string {
	const rows = pairs.map(([one, other]) => {
		const both = one.outcomes.map((outcome, at) => [outcome, other.outcomes[at] as Outcome] as const);
		const difference = (figure: Figure): string => {
			const { value, low, high } = estimate(both, (drawn) => figure(drawn.map(([, right]) => right)) - figure(drawn.map(([left]) => left)));
			return `${signed(value)} (${signed(low)} to ${signed(high)})`;
		};
		return [`${other.scorer} against ${one.scorer}`, ...[recallAt(1), recallAt(3), recallAt(5), recallAt(8), seen].map(difference)];
	});
	return markdownTable(["", "top 1", "recall at 3", "at 5", "at 8", "active or offered"], rows);
}

export function sizeTable(scorer: string, sizes: readonly SizeOutcomes[]): string {
	const figures = [recallAt(1), recallAt(5), activatedRight, activatedWrong, precision, seen, ofNothing.activated, ofNothing.shown];
	const head = [
		scorer,
		"top 1",
		"recall at 5",
		"right one active",
		"another active",
		"active is right",
		"active or offered",
		"fits nothing: active",
		"active or offered",
	];
	return markdownTable(
		head,
		sizes.map(({ skills, outcomes }) => [`${skills} skills`, ...figures.map((figure) => percent(figure(outcomes)))]),
	);
}

const activeOf = (outcomes: readonly Outcome[]): string =>
	`${outcomes.filter(({ active }) => active.length > 0).length} of ${outcomes.length}`;

const percent = (value: number): string => (Number.isNaN(value) ? "" : String(Math.round(value * 100)));

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value * 100))}`;

function withInterval(outcomes: readonly Outcome[], figure: Figure): string {
	const { value, low, high } = estimate(outcomes, figure);
	return `${percent(value)} (${percent(low)} to ${percent(high)})`;
}
