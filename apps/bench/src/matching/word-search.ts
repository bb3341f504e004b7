import type { AgentSkill } from "@robot-lab/core";
import MiniSearch from "minisearch";
import type { LabelledMessage } from "./labelled-messages.js";
import type { Outcome } from "./outcome.js";

/** What to compare with: a search of words by BM25+, as minisearch does it by default. It has an order and no confidence, so nothing is active. */
export function wordSearchOutcomes(messages: readonly LabelledMessage[], skills: readonly AgentSkill[]): readonly Outcome[] {
	const search = new MiniSearch<Record<string, string>>({ idField: "name", fields: ["words", "description", "examples"] });
	search.addAll(
		skills.map(({ name, description, metadata }) => ({
			name,
			words: name.replaceAll("-", " "),
			description,
			examples: typeof metadata.examples === "string" ? metadata.examples : "",
		})),
	);
	return messages.map((labelled) => ({
		labelled,
		ranked: search.search(labelled.message).map(({ id }) => String(id)),
		confidence: 0,
		active: [],
		candidates: [],
		offeredCharacters: 0,
	}));
}
