import { ConfigurationError } from "../errors/configuration-error.js";
import { checkShare } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { cosine, termVector } from "../text/term-vector.js";

/** What is too short to tell whether it says the same. */
const MIN_CHARACTERS = 30;
const DEFAULT_THRESHOLD = 0.85;

export interface ConvergenceOptions {
	/** The {@link similarity} from which two texts say the same, inclusive, 0 to 1. Default 0.85. */
	readonly threshold?: number;
}

/**
 * How much two texts are alike by their words, from 0 (nothing in common) to 1 (the same words as often, or the same text): the cosine of
 * their counts of stems. It knows no synonyms, no order of words and no "not". 0 where one of them is shorter than 30 characters without the
 * space around it. Of a text longer than 20,000 characters its first and its last 10,000 count. Throws ConfigurationError for what is no text.
 */
export function similarity(one: string, other: string): number {
	const [left, right] = [trimmed(one), trimmed(other)];
	if (left.length < MIN_CHARACTERS || right.length < MIN_CHARACTERS) return 0;
	return left === right ? 1 : cosine(termVector(left), termVector(right));
}

/**
 * Whether two answers say the same, so that asking again would bring nothing new: robots that review each other's work may stop. Throws
 * ConfigurationError for a threshold that is not from 0 to 1.
 */
export function hasConverged(one: string, other: string, options: ConvergenceOptions = {}): boolean {
	checkNames("hasConverged()", options, ["threshold"]);
	const { threshold = DEFAULT_THRESHOLD } = options;
	checkShare("hasConverged(): threshold", threshold);
	return similarity(one, other) >= threshold;
}

function trimmed(text: unknown): string {
	if (typeof text !== "string") throw new ConfigurationError(`Only texts can be compared, got ${describeValue(text)}.`);
	return text.trim();
}
