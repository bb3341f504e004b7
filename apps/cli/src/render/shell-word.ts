import { UNSEEN } from "./unseen.js";

const PLAIN = /^[\w@%+=:,./-]+$/;
const WHITE = /[\t\n]/g;

/** A word as bash reads it back, and on one line that no terminal obeys. */
export function shellWord(word: string): string {
	if (PLAIN.test(word)) return word;
	if (word.search(UNSEEN) === -1 && word.search(WHITE) === -1) return `'${word.replaceAll("'", "'\\''")}'`;
	return `$'${word.replace(/['\\]/g, "\\$&").replace(UNSEEN, escaped).replace(WHITE, escaped)}'`;
}

const escaped = (character: string): string =>
	[...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
