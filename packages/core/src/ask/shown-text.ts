import { stripVTControlCharacters } from "node:util";

/** What steers terminals, or hides or turns round what a person would read. Tabs and line feeds stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\0-\x08\x0B-\x1F\x7F-\x9F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** A text as a terminal may get it, on as many lines as it has, and at most so many characters of it. */
export function shownText(text: string, maxCharacters: number): string {
	// what is cut away is not cleaned first: it may be megabytes
	const clean = stripVTControlCharacters(text.slice(0, maxCharacters * 2))
		.replaceAll(/\r\n?/g, "\n")
		.replaceAll(UNSEEN, "")
		.trim();
	const isCut = clean.length > maxCharacters || text.length > maxCharacters * 2;
	return isCut ? `${clean.slice(0, maxCharacters).trimEnd()}…` : clean;
}

/** The same on one line. */
export const shownLine = (text: string, maxCharacters: number): string => shownText(text, maxCharacters).replaceAll(/\s+/g, " ");
