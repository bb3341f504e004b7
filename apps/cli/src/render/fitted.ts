import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter();

/** The columns in which a terminal shows text; colours take none. */
export const columnsOf = (text: string): number => stringWidth(text);

/** Text cut to so many columns, which ends in … where it was. */
export function fitted(text: string, columns: number): string {
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

/** The end of a text, in so many columns. */
export function fittedEnd(text: string, columns: number): string {
	// the cut may go through a character
	const near = text.slice(-8 * Math.max(1, columns)).replace(/^[\udc00-\udfff]/, "");
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
	for (const { segment } of graphemes.segment(stripVTControlCharacters(line))) {
		const width = columnsOf(segment);
		column += width;
		if (column <= columns) continue;
		rows += 1;
		column = width;
	}
	return rows;
}
