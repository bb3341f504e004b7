/** What steers terminals, or hides or turns round what a person would read: control characters, zero widths, directions, tags. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\0-\x08\x0B-\x1F\x7F-\x9F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
const HALF_A_CHARACTER = /\p{Surrogate}/gu;

/** A stranger's text without what nobody sees. Tabs stay, and lines stay lines, whatever ends them. */
export const seenText = (text: string): string =>
	text.replaceAll(LINE_END, "\n").replaceAll(UNSEEN, "").replaceAll(HALF_A_CHARACTER, "\uFFFD");

/** At most so many characters, and no half of one at the end. */
export const wholeCharacters = (text: string, maxCharacters: number): string =>
	text.slice(0, maxCharacters).replaceAll(HALF_A_CHARACTER, "");
