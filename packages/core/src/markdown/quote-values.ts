const ENTRY = /^([ \t]*(?:- +)?)([^\s:#'"][^:]*?)(:[ \t]+)(\S.*)$/;
/** What a value begins with that is something else than a text without quotes. */
const BEGINS_OTHER = /^["'[{|>&*!%@`#]/;

/** Front matter with quotes around values, and the lines on which these stand. */
export interface QuotedValues {
	readonly text: string;
	readonly lines: readonly { readonly key: string; readonly line: number }[];
}

/**
 * The text with single quotes around the values on these lines, each as far as it goes on: over the lines below that are indented more than
 * its key. Only for lines that the parser has refused for a second `: `, which no line within a block or a quoted text is. `undefined` where
 * one of them is no `key: value`.
 */
export function quoteValues(text: string, refused: readonly number[]): QuotedValues | undefined {
	const lines = text.split("\n");
	const quoted: { key: string; line: number }[] = [];
	let end = 0;
	for (const number of refused) {
		const index = number - 1;
		// a further one of a value that goes on over several lines
		if (index < end) continue;
		const [, indent = "", key = "", colon = "", value = ""] = ENTRY.exec(lines[index] ?? "") ?? [];
		if (key === "" || BEGINS_OTHER.test(value)) return undefined;
		end = endOfValue(lines, index, indent.length);
		const last = end - 1;
		lines[index] = `${indent}${key}${colon}'${value.replaceAll("'", "''")}`;
		for (let later = index + 1; later < end; later++) lines[later] = lines[later]?.replaceAll("'", "''") ?? "";
		lines[last] = `${lines[last]?.trimEnd()}'`;
		quoted.push({ key, line: number });
	}
	return { text: lines.join("\n"), lines: quoted };
}

function endOfValue(lines: readonly string[], index: number, indent: number): number {
	let end = index + 1;
	while (end < lines.length && /^[ \t]*/.exec(lines[end] ?? "")?.[0].length !== lines[end]?.length && indentOf(lines[end]) > indent) end++;
	return end;
}

const indentOf = (line = ""): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;
