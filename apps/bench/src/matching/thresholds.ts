import type { AgentSkill } from "@robot-lab/core";
import { markdownTable } from "../markdown-table.js";
import { activatedRight, activatedWrong, candidateCount, offeredTokens, ofNothing, seen } from "./figures.js";
import type { LabelledMessage } from "./labelled-messages.js";
import { type CalibratedEmbedder, outcomesOf } from "./outcome.js";

const ACTIVATE = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9];
const OFFER = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3];

/** What other thresholds of an embedder give: for whoever chooses them, on the half that is for choosing. */
export async function thresholdTables(
	name: string,
	embedder: CalibratedEmbedder,
	messages: readonly LabelledMessage[],
	skills: readonly AgentSkill[],
): Promise<string> {
	const { calibration } = embedder;
	const at = (changed: { readonly activate: number } | { readonly offer: number }): ReturnType<typeof outcomesOf> =>
		outcomesOf(messages, skills, { ...embedder, calibration: { ...calibration, ...changed } });
	const activate: string[][] = [];
	for (const least of ACTIVATE) {
		const outcomes = await at({ activate: least });
		activate.push([least.toFixed(2), ...[activatedRight, activatedWrong, ofNothing.activated].map((figure) => percent(figure(outcomes)))]);
	}
	const offer: string[][] = [];
	for (const least of OFFER) {
		const outcomes = await at({ offer: least });
		offer.push([
			least.toFixed(2),
			percent(seen(outcomes)),
			candidateCount(outcomes).toFixed(1),
			offeredTokens(outcomes).toFixed(0),
			percent(ofNothing.shown(outcomes)),
			ofNothing.candidateCount(outcomes).toFixed(1),
			ofNothing.offeredTokens(outcomes).toFixed(0),
		]);
	}
	return [
		markdownTable([`${name}: activate`, "right one active", "another active", "fits nothing: active"], activate),
		markdownTable(
			[`${name}: offer`, "active or offered", "offered, skills", "tokens", "fits nothing: active or offered", "skills", "tokens"],
			offer,
		),
	].join("\n");
}

const percent = (value: number): string => (value * 100).toFixed(1);
