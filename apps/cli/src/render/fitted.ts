import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter();

/** Every so many columns a terminal has a place for a tab to go to. */
const TAB_COLUMNS = 8;

/** The columns in which a terminal shows a line; colours take none. */
export const columnsOf = (line: string): number => stringWidth(withoutTabs(line));

/** A line cut to so many columns, which ends in … where it was. Tabs become blanks: where they lead changes with what stands before. */
export function fitted(line: string, columns: number): string {
	const text = withoutTabs(line);
	if (columnsOf(text) <= columns) return text;
	let cut = "";
	let room = columns - 1;
	for (const { segment } of graphemes.segment(text)) {
		room -= columnsOf(segment);
		if (room < 0) break;
		cut += segment;
	}
	return columns < 1 ? "" : `${cut}…`;
}

/** The end of a line, in so many columns. Tabs become blanks. */
export function fittedEnd(line: string, columns: number): string {
	// the cut may go through a character
	const near = withoutTabs(line.slice(-8 * Math.max(1, columns)).replace(/^[\udc00-\udfff]/, ""));
	let end = "";
	for (const { segment } of [...graphemes.segment(near)].reverse()) {
		if (columnsOf(segment + end) > columns) break;
		end = segment + end;
	}
	return end;
}

/** The rows in which a screen of so many columns shows a line. A wide character is not broken. */
export function rowsOf(line: string, columns: number): number {
	let rows = 1;
	let column = 0;
	for (const { segment } of graphemes.segment(withoutTabs(stripVTControlCharacters(line)))) {
		const width = columnsOf(segment);
		column += width;
		if (column <= columns) continue;
		rows += 1;
		column = width;
	}
	return rows;
}

/** A line that looks the same with blanks in the place of its tabs. */
function withoutTabs(line: string): string {
	if (!line.includes("\t")) return line;
	const [first = "", ...others] = line.split("\t");
	let text = first;
	let column = stringWidth(first);
	for (const piece of others) {
		const blanks = TAB_COLUMNS - (column % TAB_COLUMNS);
		text += " ".repeat(blanks) + piece;
		column += blanks + stringWidth(piece);
	}
	return text;
}
