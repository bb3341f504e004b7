import { printable, printableLine } from "./printable.js";

const MOST_LINES = 10;
const LONGEST_LINE = 200;

/** The first lines of a text as it may be shown, and how many more there are. */
export function excerpt(text: string): { readonly lines: readonly string[]; readonly more: number } {
	const lines = printable(text.trim()).split("\n");
	const shown = lines.slice(0, MOST_LINES).map((line) => (line.length > LONGEST_LINE ? printableLine(line, LONGEST_LINE) : line.trimEnd()));
	return { lines: shown, more: lines.length - shown.length };
}
