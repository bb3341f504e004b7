/** What may stand before a module's docstring: nothing but blank lines and comments. */
const BEFORE_DOCSTRING = /^\uFEFF?(?:[ \t]*(?:#[^\n]*)?\r?\n)*[rRuU]?("""|'''|"|')/;

/** The lines of a Python module's docstring, trimmed, one list per paragraph; `undefined` when it has none. */
export function docstringOf(text: string): readonly (readonly string[])[] | undefined {
	const opening = BEFORE_DOCSTRING.exec(text);
	const quote = opening?.[1];
	if (opening === null || quote === undefined) return undefined;
	const rest = text.slice(opening[0].length);
	const end = rest.indexOf(quote);
	const content = end === -1 ? rest : rest.slice(0, end);
	if (quote.length === 1 && (end === -1 || content.includes("\n"))) return undefined;
	return content.split(/\r?\n[ \t]*\r?\n/).map((paragraph) => paragraph.split(/\r?\n/).flatMap((line) => line.trim() || []));
}

const PARSER = /\bArgumentParser\(\s*(?:[^()]*?,\s*)?description\s*=\s*\(?\s*/;
const LITERAL = /\s*[rRuU]?(?:"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)')/y;

/** What a Python script's argument parser says the script is for, one paragraph; none where it does not say so in plain text. */
export function argumentParserDescription(text: string): readonly (readonly string[])[] {
	const opening = PARSER.exec(text);
	if (opening === null) return [];
	LITERAL.lastIndex = opening.index + opening[0].length;
	let description = "";
	for (let literal = LITERAL.exec(text); literal !== null; literal = LITERAL.exec(text)) description += literal[1] ?? literal[2] ?? "";
	const line = description.replace(/\\n/g, " ").replace(/\\(.)/g, "$1").trim();
	return line === "" ? [] : [[line]];
}
