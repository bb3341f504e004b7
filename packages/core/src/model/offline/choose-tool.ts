import { contentWords, stemOf } from "../../text/words.js";
import { type FilledArguments, fillArguments } from "./fill-arguments.js";
import { kindEvidence } from "./kind-evidence.js";
import type { OfferedTool } from "./offered-tool.js";
import { parametersOf } from "./parameter.js";
import { likeness } from "./related-words.js";
import { type Token, tokensOf } from "./tokens.js";

/** The tool that fits a message best. Not to be called when `missing` is not empty: the message lacks arguments it requires. */
export interface Choice extends FilledArguments {
	readonly tool: OfferedTool;
	/** Which share of what the message says the tool speaks of, and a little for arguments of the right kind. */
	readonly score: number;
}

/** The share from which a tool fits. */
const FITS = 0.3;
const NAME_WEIGHT = 1;
const DESCRIPTION_WEIGHT = 0.8;
const PARAMETER_WEIGHT = 0.45;
const UNKNOWN_RARITY = 0.6;

/**
 * The tool whose name, description and parameters speak most of what the message speaks of, with its arguments; one whose arguments
 * the message tells comes before one whose it does not. `undefined`: none fits.
 *
 * @param mustCall The best one is to be called, however little it fits.
 */
export function chooseTool(message: string, tools: readonly OfferedTool[], mustCall = false): Choice | undefined {
	const wanted = wantedStems(tokensOf(message));
	const spoken = tools.map(vocabularyOf).map((vocabulary) => wanted.map((stem) => spokenOf(stem, vocabulary)));
	const weights = wanted.map((_, index) => rarity(spoken.filter((row) => (row[index] ?? 0) > 0).length, tools.length));
	const fitting = tools
		.map((tool, index) => ({ tool, score: share(spoken[index] ?? [], weights) + kindEvidence(tool, message, wanted.length === 0) }))
		.filter(({ score }) => mustCall || score >= FITS)
		.sort((left, right) => right.score - left.score)
		.map((fit) => ({ ...fit, ...fillArguments(message, fit.tool) }));
	const told = fitting.find(
		({ tool, missing }) => missing.length === 0 && (mustCall || tool === fitting[0]?.tool || (tool.parameters.required?.length ?? 0) > 0),
	);
	return told ?? fitting[0];
}

/** What the message asks for: its plain words, without names, numbers and literals, which are arguments. */
function wantedStems(tokens: readonly Token[]): string[] {
	const words = tokens.filter(({ kind, text, initial }) => kind === "word" && (initial || !/^\p{Lu}/u.test(text)));
	return [...new Set(contentWords(words.map(({ text }) => text).join(" ")).map(stemOf))];
}

/** How strongly a tool speaks of each stem. */
function vocabularyOf(tool: OfferedTool): Map<string, number> {
	const vocabulary = new Map<string, number>();
	const add = (text: string, weight: number): void => {
		for (const stem of contentWords(text).map(stemOf)) vocabulary.set(stem, Math.max(weight, vocabulary.get(stem) ?? 0));
	};
	add(tool.name, NAME_WEIGHT);
	add(tool.description ?? "", DESCRIPTION_WEIGHT);
	for (const { name, schema, choices } of parametersOf(tool.parameters)) {
		add(`${name} ${schema.description ?? ""} ${choices.join(" ")}`, PARAMETER_WEIGHT);
	}
	return vocabulary;
}

/** A word few tools speak of tells more than one that all do. One that none speaks of is likely a matter of arguments, and tells less. */
function rarity(speaking: number, tools: number): number {
	return speaking === 0 ? UNKNOWN_RARITY * Math.log(1 + tools) : Math.log(1 + tools / speaking);
}

/** The share of what is wanted that a tool speaks of. */
function share(spoken: readonly number[], weights: readonly number[]): number {
	const all = weights.reduce((sum, weight) => sum + weight, 0);
	return all === 0 ? 0 : spoken.reduce((sum, strength, index) => sum + strength * (weights[index] ?? 0), 0) / all;
}

function spokenOf(stem: string, vocabulary: ReadonlyMap<string, number>): number {
	const exact = vocabulary.get(stem);
	let best = exact ?? 0;
	if (exact === undefined) for (const [known, weight] of vocabulary) best = Math.max(best, weight * likeness(stem, known));
	return best;
}
