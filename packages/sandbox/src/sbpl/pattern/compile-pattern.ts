import { ProfileError, quoted } from "../profile-error.js";
import { stepsOf } from "./program.js";
import { isFound } from "./search.js";
import { parsePattern } from "./syntax.js";

/** Longer than the longest literal of a profile, because parameters may be put together to a pattern. */
const MAX_PATTERN_BYTES = 4096;

/**
 * The regular expressions of profiles: literals, escapes, `.`, brackets, groups, `|`, `*`, `+`, `?`, `^` and `$`; found anywhere
 * unless anchored; case sensitive. Whatever another dialect would read differently (`\d`, look-around, counts, backslashes in
 * brackets, lazy quantifiers) is refused.
 *
 * They look at the bytes of UTF-8, as the compiled form that macOS makes of them does (sandblaster, regex_parser_v3.py: one byte a
 * character, two bytes a range): `é` is two bytes, so `^/.$` does not match `/é`, and `^/[^ -~]+$` does.
 */
export function compilePattern(pattern: string, line: number): (text: string) => boolean {
	const refuse = (what: string): never => {
		throw new ProfileError("profile_unsupported", `the regular expression ${quoted(pattern)} has ${what}`, line);
	};
	if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) refuse(`more than ${MAX_PATTERN_BYTES} bytes`);
	const steps = stepsOf(parsePattern(pattern, refuse));
	return (text) => isFound(steps, Buffer.from(text));
}
