/** A text without halves of characters, which a cut in the middle of an emoji leaves and providers refuse: each gives way to U+FFFD. Its length stays. */
export const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

/** The first so many UTF-16 code units of a text, one less where they would end in half a character. */
export function beginningOf(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text;
	return text.slice(0, splitsPair(text, maxCharacters) ? maxCharacters - 1 : maxCharacters);
}

/** The last so many UTF-16 code units of a text, one less where they would begin with half a character. */
export function endOf(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text;
	const from = text.length - maxCharacters;
	return text.slice(splitsPair(text, from) ? from + 1 : from);
}

/** Whether a cut before that place would part the two halves of a character. */
const splitsPair = (text: string, at: number): boolean =>
	isBetween(text.charCodeAt(at - 1), 0xd800) && isBetween(text.charCodeAt(at), 0xdc00);

const isBetween = (unit: number, first: number): boolean => unit >= first && unit < first + 0x400;

/** Whether JSON text may name half a character by an escape. */
const MAY_NAME_HALF = /\\u[dD][89a-fA-F]/;
const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./gs;

/** JSON text whose strings are {@link wellFormed} once it is parsed. */
export function wellFormedJson(text: string): string {
	const whole = wellFormed(text);
	if (!MAY_NAME_HALF.test(whole)) return whole;
	return whole.replaceAll(ESCAPES, (written) => (written.length === 6 ? "\\ufffd" : written));
}

/** Plain data whose texts are {@link wellFormed}; the same where they are already. It must be such that `JSON.stringify` can write it. */
export function wellFormedValue(value: unknown): unknown {
	const text = JSON.stringify(value) as string | undefined;
	return text === undefined || !MAY_NAME_HALF.test(text) ? value : JSON.parse(wellFormedJson(text));
}
