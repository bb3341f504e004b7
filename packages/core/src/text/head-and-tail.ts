import { beginningOf, endOf } from "./well-formed.js";

/** The beginning and the end of a long text, where a question stands before or after what it is about. Neither has half a character at the cut. */
export function headAndTail(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text;
	const half = Math.floor(maxCharacters / 2);
	return `${beginningOf(text, half)}\n${endOf(text, half)}`;
}
