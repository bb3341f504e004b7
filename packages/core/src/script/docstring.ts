/** A line that may stand before a module's docstring: a blank one or a comment. */
const LINE_BEFORE = /[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r)/y;
const OPENING = /[rRuU]?("""|'''|"|')/y;
/** What may stand behind a docstring. Anything else makes it a part of an expression. */
const ENDS_STATEMENT = /^[ \t]*(?:[;#\r\n]|$)/;
const MAX_BEHIND = 200;

/** The lines of a Python module's docstring, trimmed, one list per paragraph; `undefined` when it has none. */
export function docstringOf(text: string): readonly (readonly string[])[] | undefined {
	OPENING.lastIndex = startOfCode(text);
	const quote = OPENING.exec(text)?.[1];
	if (quote === undefined) return undefined;
	const rest = text.slice(OPENING.lastIndex);
	const end = rest.indexOf(quote);
	const content = end === -1 ? rest : rest.slice(0, end);
	if (quote.length === 1 && (end === -1 || content.includes("\n"))) return undefined;
	if (end !== -1 && !ENDS_STATEMENT.test(rest.slice(end + quote.length, end + quote.length + MAX_BEHIND))) return undefined;
	return content.split(/\r?\n[ \t]*\r?\n/).map((paragraph) => paragraph.split(/\r?\n/).flatMap((line) => line.trim() || []));
}

function startOfCode(text: string): number {
	let start = text.startsWith("\uFEFF") ? 1 : 0;
	for (LINE_BEFORE.lastIndex = start; LINE_BEFORE.test(text); ) start = LINE_BEFORE.lastIndex;
	return start;
}

const PARSER = "ArgumentParser(";
const MAX_CALL = 4_000;
const DESCRIPTION = /(?:^|,)\s*description\s*=\s*\(?\s*/;
const LITERAL = /\s*[rRuU]?(?:"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)')/y;

/**
 * What a Python script's argument parser says the script is for, one paragraph; none where it does not say so in plain text. Looks at its first
 * argument parser alone, and for the argument among the first 4,000 characters: a script is a stranger's, and reading it must take no longer than it is.
 */
export function argumentParserDescription(text: string): readonly (readonly string[])[] {
	const call = text.indexOf(PARSER) + PARSER.length;
	if (call < PARSER.length) return [];
	const [before = ""] = /^[^()]*\(?/.exec(text.slice(call, call + MAX_CALL)) ?? [];
	const opening = DESCRIPTION.exec(before);
	if (opening === null) return [];
	LITERAL.lastIndex = call + opening.index + opening[0].length;
	let description = "";
	for (let literal = LITERAL.exec(text); literal !== null; literal = LITERAL.exec(text)) description += literal[1] ?? literal[2] ?? "";
	const line = description.replace(/\\n/g, " ").replace(/\\(.)/g, "$1").trim();
	return line === "" ? [] : [[line]];
}
