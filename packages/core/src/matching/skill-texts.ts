import type { AgentSkill } from "../skill/agent-skill.js";
import { isList } from "../text/describe-value.js";
import { headAndTail } from "../text/head-and-tail.js";
import { withoutDirectories } from "./without-directories.js";

/** What a skill is found by. */
export interface SkillTexts {
	readonly document: string;
	/** Messages that it is for, as its author wrote them. */
	readonly examples: readonly string[];
}

const MAX_EXAMPLES = 20;
const MAX_CHARACTERS = 8_000;
/** A hyphen or another mark before an example, where somebody wrote a list. */
const BULLET = /^[-*•]\s+/;

/**
 * What of a text is looked at: without the directories of paths, and the beginning and the end of what is longer than 8,000 characters, which models of
 * embeddings refuse.
 */
export const seenByEmbedders = (text: string): string => headAndTail(withoutDirectories(text), MAX_CHARACTERS);

/**
 * The name counts: people use it, above all for what exists in their house only. The body's headings do not: on the messages that constants are
 * chosen on they found no more skills, and fewer of those that were asked for plainly.
 */
export function textsOf({ name, description, metadata }: AgentSkill): SkillTexts {
	return { document: seenByEmbedders(`${name.replaceAll(/[-_]+/g, " ")}. ${description}`), examples: examplesOf(metadata) };
}

/** `metadata.examples`: one text with an example in each line, which the standard allows, or a list of texts. At most 20. */
function examplesOf(metadata: AgentSkill["metadata"]): readonly string[] {
	const examples = Object.hasOwn(metadata, "examples") ? metadata.examples : undefined;
	const lines = typeof examples === "string" ? examples.split(/\r\n?|\n/) : isList(examples) ? examples : [];
	return lines
		.filter((line): line is string => typeof line === "string")
		.map((line) => seenByEmbedders(line.trim().replace(BULLET, "")))
		.filter((line) => line !== "")
		.slice(0, MAX_EXAMPLES);
}
