import { replaceUnseen } from "./unseen.js";

const LINE_END = /\r\n?|[\u2028\u2029]/g;
const HALF_A_CHARACTER = /\p{Surrogate}/gu;

/** A stranger's text without what nobody sees. Tabs stay, and lines stay lines, whatever ends them. */
export const seenText = (text: string): string =>
	replaceUnseen(text.replaceAll(LINE_END, "\n"), () => "").replaceAll(HALF_A_CHARACTER, "\uFFFD");

/** At most so many characters, and no half of one at the end. */
export const wholeCharacters = (text: string, maxCharacters: number): string =>
	text.slice(0, maxCharacters).replaceAll(HALF_A_CHARACTER, "");
