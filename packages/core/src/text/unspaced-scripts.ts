const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, "gu");

/** Whether a word has letters of a script that sets no spaces between words: such a word may be a whole sentence. */
export const isUnspaced = (word: string): boolean => UNSPACED.test(word);

/** How many letters of such scripts a text has. */
export function countUnspaced(text: string): number {
	let count = 0;
	for (const _ of text.matchAll(EACH_UNSPACED)) count += 1;
	return count;
}
