import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** What bounds the time of a match: it grows with the length of a key, times this at most. */
const MAX_PATTERN_CHARACTERS = 1_000;

/**
 * Whether a key is like a pattern: `*` stands for any text, none included, `?` for one character, everything else for itself. Ours because
 * the kept glob packages are about paths (a `*` ends at a slash) and turn patterns into regular expressions, which a pattern of a few stars
 * keeps busy for minutes; here a star is never gone back to behind a later one.
 *
 * Throws ConfigurationError for a pattern that is no text or has more than 1000 characters.
 */
export function keyPattern(pattern: string): (key: string) => boolean {
	if (typeof pattern !== "string")
		throw new ConfigurationError(`A pattern of keys must be text such as "notes:*", got ${describeValue(pattern)}.`);
	if (pattern.length > MAX_PATTERN_CHARACTERS) {
		throw new ConfigurationError(`A pattern of keys has at most ${MAX_PATTERN_CHARACTERS} characters, this one has ${pattern.length}.`);
	}
	return (key) => isLike(key, pattern);
}

function isLike(key: string, pattern: string): boolean {
	let at = 0;
	let place = 0;
	/** The star that was passed last, and how far it reaches. */
	let star = -1;
	let reach = 0;
	while (at < key.length) {
		const wanted = pattern[place];
		if (wanted === "*") {
			star = place;
			reach = at;
			place += 1;
		} else if (wanted === "?") {
			at += lengthAt(key, at);
			place += 1;
		} else if (wanted === key[at]) {
			at += 1;
			place += 1;
		} else if (star >= 0) {
			reach += 1;
			at = reach;
			place = star + 1;
		} else {
			return false;
		}
	}
	while (pattern[place] === "*") place += 1;
	return place === pattern.length;
}

/** Some characters are two halves, of which neither is one. */
const lengthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
