import { ConfigurationError } from "../errors/configuration-error.js";
import type { Message } from "../message/message.js";
import { checkCount } from "../options/check-numbers.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { cosine, termVector } from "../text/term-vector.js";

const MIN_CHARACTERS = 20;
const DEFAULT_LIMIT = 5;

export interface HistorySearchOptions {
	/** The most matches. 1 or more, default 5. */
	readonly limit?: number;
}

/** A message that has words of the query. */
export interface HistoryMatch {
	/** The whole text of the message. */
	readonly text: string;
	readonly role: Message["role"];
	/** How much it is like the query: above 0, to 1 for the same words. */
	readonly score: number;
	/** Its place in `robot.messages`. */
	readonly index: number;
}

/**
 * The messages most like a query by their words, best first, of equally good ones the later first: what was said, and what tools gave. Texts of fewer
 * than 20 characters are left out, and so is what has no word of the query. Throws ConfigurationError for a query that is no text.
 */
export function searchHistory(messages: readonly Message[], query: string, options: HistorySearchOptions = {}): readonly HistoryMatch[] {
	if (typeof query !== "string") throw new ConfigurationError(`searchHistory() needs a query of text, got ${describeValue(query)}.`);
	checkNames("searchHistory()", options, ["limit"]);
	const { limit = DEFAULT_LIMIT } = options;
	checkCount("limit", limit, 1);
	const wanted = termVector(query);
	return messages
		.flatMap((message, index) => {
			if (message.type === "tool_call" || message.content.trim().length < MIN_CHARACTERS) return [];
			const score = cosine(wanted, termVector(message.content));
			return score === 0 ? [] : [{ text: message.content, role: message.role, score, index }];
		})
		.sort((one, other) => other.score - one.score || other.index - one.index)
		.slice(0, limit);
}
