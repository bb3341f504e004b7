/** A description that a model is shown of a script's tool, and what it was made from. */
export interface Described {
	readonly description: string;
	/** What a script is called by where it says nothing of itself. */
	readonly derivedName: string;
	/** The beginning of the script. */
	readonly text: string;
}

/** Each a way in which a description tells nothing of what the script is for. Stated without the rules that descriptions are made by. */
const JUNK: readonly (readonly [kind: string, pattern: RegExp])[] = [
	["code", /^(import|from|const|let|var|require|use|set|export|module|def|function)\b.*([;({=]|import\b)|^set -/],
	["directive", /^#!|-\*-|coding[:=]|shellcheck|eslint|pylint|vim:|\/\/\/ script/],
	["licence", /^(copyright|©|\(c\)|SPDX|licen[cs]ed?\b|permission is hereby|all rights reserved)/i],
	["usage", /^(usage|examples?|synopsis|arguments|prerequisites|requirements)\s*(:|$)/i],
	["markup", /^[<{@|]|[=*#─═]{3,}|"""|'''|\*\/|^-{2,}/],
	[
		"comment on a line of code",
		/^(exit|stop|fail|abort) (immediately )?(on|if|when) (any |an )?(error|command)|^(default|colou?rs?|constants|imports)\b.{0,20}$/i,
	],
];

/** What is wrong with a description, `undefined` when it says something. A script that says nothing of itself has its name, which is no junk. */
export function junkOf({ description, derivedName, text }: Described): string | undefined {
	if (description === derivedName) return hasProse(text) ? "the name, though the file says something" : undefined;
	const found = JUNK.find(([, pattern]) => pattern.test(description));
	if (found !== undefined) return found[0];
	return /\s|[^\p{ASCII}]/u.test(description.trim()) ? undefined : "a lone word";
}

const MIN_WORDS = 4;

/** Whether a script begins, below its first line, with a comment or a docstring of several words that is about neither tools nor rights. */
export function hasProse(text: string): boolean {
	const lines = text.split(/\r?\n/).filter((line, index) => !(index === 0 && line.startsWith("#!")) && line.trim() !== "");
	const opening = lines.slice(0, 3).join(" ");
	if (!/^\s*(#(?!!|\s*\/\/\/)|\/\/|\/\*|<#|[rRuU]?("""|'''))/.test(opening)) return false;
	if (/copyright|licen[cs]e|SPDX|coding[:=]/i.test(opening)) return false;
	const comment = /^\s*(#|\/\/)/.test(opening) ? (lines[0] ?? "") : opening;
	return (comment.match(/\p{L}{2,}/gu) ?? []).length >= MIN_WORDS;
}
