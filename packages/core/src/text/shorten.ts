import { beginningOf } from "./well-formed.js";

/** The beginning of a text that is too long for a message, without half a character at its end; the mark of the cut comes on top. */
export const shorten = (text: string, maxCharacters: number): string =>
	text.length <= maxCharacters ? text : `${beginningOf(text, maxCharacters)}…`;
