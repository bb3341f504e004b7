/** Characters outside of printable ASCII. By what they are not: a profile of nothing but ASCII is read everywhere. */
const OTHER = "[^ -~]";

/** Less than what a profile reader can hold of one text, 1,025 bytes, with its escapes. */
const MAX_BYTES = 900;

/**
 * Regular expressions of what a Mac takes for one of `paths`, after `depth` segments of any name: the path itself and everything below,
 * and each directory on the way to it. A name that does not exist yet is seen as it is spelt, and where case does not matter that is
 * `.GIT` as well.
 *
 * Letters outside of ASCII may count for ASCII ones (the Kelvin sign for k, the long s, ligatures: Unicode's CaseFolding.txt) or for
 * nothing at all (on HFS+, CVE-2014-9390). So a name with one of them matches beside every name with a dot if it has the dot, and
 * below such a one in any case: more than need be, of names that hardly anybody has. Beside names without a dot, which have company in many
 * languages, it matches if its other letters are theirs, in order, but for those that a letter outside of ASCII may count for.
 *
 * No path goes in, and nothing that regular expressions have not always had.
 */
export function namePatterns(depth: number, paths: readonly (readonly string[])[]): readonly string[] {
	const start = `^${"/[^/]+".repeat(depth)}/`;
	const patterns: string[] = [];
	let alternatives: readonly string[] = [];
	for (const alternative of new Set(paths.flatMap(alternativesOf))) {
		const longer = [...alternatives, alternative];
		if (oneOf(start, longer).length > MAX_BYTES) {
			patterns.push(oneOf(start, alternatives));
			alternatives = [alternative];
		} else alternatives = longer;
	}
	return [...patterns, oneOf(start, alternatives)];
}

function alternativesOf([name = "", ...below]: readonly string[]): readonly string[] {
	return name.startsWith(".") ? [pathPattern(name, below), foreignName(name)] : [plainPattern([name, ...below])];
}

const oneOf = (start: string, alternatives: readonly string[]): string => `${start}(${alternatives.join("|")})`;

function pathPattern(name: string, [next, ...below]: readonly string[]): string {
	const itself = `${OTHER}*${[...name].map(eitherCase).join("")}`;
	return next === undefined ? `${itself}(/|$)` : `${itself}(/(${pathPattern(next, below)}|${foreignName(next)})|$)`;
}

const foreignName = (besides: string): string => `${besides.startsWith(".") ? `${OTHER}*\\.` : ""}[^/]*${OTHER}`;

/** Of these some letter outside of ASCII stands for one or more. */
const REPLACEABLE = /[fiklst]/i;

function plainPattern([name = "", ...below]: readonly string[]): string {
	const letters = [...name].map((letter) => {
		const one = `${eitherCase(letter)}${OTHER}*`;
		return REPLACEABLE.test(letter) ? `(${one})?` : one;
	});
	return `${OTHER}*${letters.join("")}(${below.length === 0 ? "/" : `/${plainPattern(below)}`}|$)`;
}

function eitherCase(character: string): string {
	const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
	if (lower !== upper) return `[${lower}${upper}]`;
	return /[\w-]/.test(character) ? character : `\\${character}`;
}
