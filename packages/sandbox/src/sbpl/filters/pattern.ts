import { ProfileError } from "../profile-error.js";

const QUANTIFIERS = "*+?";

/**
 * The regular expressions of profiles: POSIX-like, unanchored, case sensitive. Whatever another dialect would read
 * differently (`\d`, look-around, counts, backslashes in brackets, lazy quantifiers) is refused.
 */
export function compilePattern(pattern: string, line: number): RegExp {
	const refuse = (what: string): never => {
		throw new ProfileError("profile_unsupported", `the regular expression ${JSON.stringify(pattern)} has ${what}`, line);
	};
	let translated = "";
	for (let at = 0; at < pattern.length; at += 1) {
		const char = pattern.charAt(at);
		const next = pattern.charAt(at + 1);
		if (char === "\\") {
			if (next === "" || /[a-z0-9]/i.test(next)) refuse("a backslash before a letter, a digit or the end");
			translated += `\\u{${next.codePointAt(0)?.toString(16)}}`;
			at += 1;
		} else if (char === "[") {
			const end = endOfBracket(pattern, at) ?? refuse("a [ that is not closed");
			translated += translateBracket(pattern.slice(at, end), refuse);
			at = end - 1;
		} else {
			if (char === "{" || char === "}") refuse("a repeat count");
			if (char === "(" && next === "?") refuse("a (?");
			if (QUANTIFIERS.includes(char) && next !== "" && QUANTIFIERS.includes(next)) refuse("two quantifiers in a row");
			translated += char;
		}
	}
	try {
		return new RegExp(translated, "su");
	} catch {
		return refuse("no valid form");
	}
}

function endOfBracket(pattern: string, start: number): number | undefined {
	const first = start + (pattern.charAt(start + 1) === "^" ? 2 : 1);
	// A ] in the first place stands for itself.
	const end = pattern.indexOf("]", first + 1);
	return end === -1 ? undefined : end + 1;
}

function translateBracket(bracket: string, refuse: (what: string) => never): string {
	const negated = bracket.startsWith("[^");
	const members = bracket.slice(negated ? 2 : 1, -1);
	if (/\\|\[[:.=]/.test(members)) refuse("a backslash or a character class in brackets");
	return `[${negated ? "^" : ""}${members.replace(/[[\]^]/g, "\\$&")}]`;
}
