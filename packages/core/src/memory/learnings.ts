import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { shorten } from "../text/shorten.js";
import { wellFormed } from "../text/well-formed.js";

/** Below which key of a memory a robot's learnings are, a list of texts. */
export const LEARNINGS_KEY = "learnings";

/** So many are kept, so long: all of them go with every message. */
const MAX_LEARNINGS = 50;
const MAX_CHARACTERS = 1_000;

/** What is below that key, whoever put it there: the last 50 texts among it that are not blank, of each 1000 characters. */
export const learningsOf = (value: unknown): readonly string[] =>
	Array.isArray(value) ? value.filter(saysSomething).slice(-MAX_LEARNINGS).map(bounded) : [];

const saysSomething = (entry: unknown): entry is string => typeof entry === "string" && /\S/.test(entry);

/** Trimmed, and with no half of a character, as it goes to the model. */
const bounded = (text: string): string => wellFormed(shorten(text.trim(), MAX_CHARACTERS));

/**
 * The list with what was learned last. A text that says no more than one there is, word for word, changes nothing; those that say no more
 * than it go. Blank text is ignored, one above 1000 characters is cut, and of more than 50 the oldest go. Throws ConfigurationError for
 * what is no text.
 */
export function addLearning(learnings: readonly string[], text: string): readonly string[] {
	if (typeof text !== "string") throw new ConfigurationError(`A robot learns texts, got ${describeValue(text)}.`);
	const learned = bounded(text);
	if (learned === "" || learnings.some((known) => contains(known, learned))) return learnings;
	return [...learnings.filter((known) => !contains(learned, known)), learned].slice(-MAX_LEARNINGS);
}

/** The learnings as they are put before a message; empty where there are none. No line of a learning can be taken for the next one. */
export function learningsBlock(learnings: readonly string[]): string {
	if (learnings.length === 0) return "";
	return ["LEARNINGS FROM PREVIOUS RUNS:", ...learnings.map((learning) => `- ${learning.split(LINE_BREAK).join("\n  ")}`)].join("\n");
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Whether the words of one text stand in another; "cat" does not stand in "concatenate". */
function contains(text: string, part: string): boolean {
	for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
		if (
			!(WORD_END.test(text.slice(0, at)) && WORD_START.test(part)) &&
			!(WORD_END.test(part) && WORD_START.test(text.slice(at + part.length)))
		)
			return true;
	}
	return false;
}

const WORD_START = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;
