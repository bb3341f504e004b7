/** The beginning of a text that is too long for a message; the mark of the cut comes on top. */
export const shorten = (text: string, maxCharacters: number): string =>
	text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`;
