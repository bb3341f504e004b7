import { stripVTControlCharacters } from "node:util";
import { seenText, wholeCharacters } from "../text/seen-text.js";

/** A text as a terminal may get it, on as many lines as it has, and at most so many characters of it. */
export function shownText(text: string, maxCharacters: number): string {
	// what is cut away is not cleaned first: it may be megabytes
	const clean = seenText(stripVTControlCharacters(text.slice(0, maxCharacters * 2))).trim();
	const isCut = clean.length > maxCharacters || text.length > maxCharacters * 2;
	return isCut ? `${wholeCharacters(clean, maxCharacters).trimEnd()}…` : clean;
}

/** The same on one line. */
export const shownLine = (text: string, maxCharacters: number): string => shownText(text, maxCharacters).replaceAll(/\s+/g, " ");
