import { type AgentSkill, type Embedder, lexicalEmbedder } from "@robot-lab/core";
import { embedder as english } from "@robot-lab/embeddings-en";
import type { LabelledMessage } from "./labelled-messages.js";
import { type CalibratedEmbedder, type Outcome, outcomesOf, remembering } from "./outcome.js";
import { wordSearchOutcomes } from "./word-search.js";

/** What puts skills in an order. */
export interface Scorer {
	readonly name: string;
	readonly outcomes: (messages: readonly LabelledMessage[], skills: readonly AgentSkill[]) => Promise<readonly Outcome[]>;
}

/** The embedders that are measured. Each text is embedded once. */
export const embedders: readonly { readonly name: string; readonly embedder: CalibratedEmbedder }[] = [
	{ name: "lexical", embedder: remembering(calibrated(lexicalEmbedder())) },
	{ name: "light", embedder: remembering(english({ part: "light" })) },
	{ name: "hybrid", embedder: remembering(english()) },
];

/** By them, as core's matcher uses them. */
export const matcherScorers: readonly Scorer[] = embedders.map(({ name, embedder }) => ({
	name,
	outcomes: (messages, skills) => outcomesOf(messages, skills, embedder),
}));

export const wordSearch: Scorer = { name: "BM25", outcomes: async (messages, skills) => wordSearchOutcomes(messages, skills) };

function calibrated(embedder: Embedder): CalibratedEmbedder {
	const { calibration } = embedder;
	if (calibration === undefined) throw new TypeError(`The embedder ${embedder.id} has no calibration.`);
	return { ...embedder, calibration };
}
