import { stemmer } from "stemmer";
import { STOP_WORDS } from "./stop-words.js";

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const ENGLISH = /^[a-z]+$/;

/** The words of a text in lower case, names like `readFile` and `read_file` taken apart, the possessive dropped. */
export function wordsOf(text: string): string[] {
	const apart = text.normalize("NFKC").replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
	return (apart.toLowerCase().match(WORD) ?? []).map((word) => word.replace("’", "'").replace(/'s$/, ""));
}

/** The words that carry meaning. A text of stop words alone has none. */
export const contentWords = (text: string): string[] => wordsOf(text).filter((word) => !STOP_WORDS.has(word));

/** The common form of `count`, `counts` and `counting`. Words of other languages and names with digits stay as they are. */
export const stemOf = (word: string): string => (ENGLISH.test(word) ? stemmer(word) : word);
