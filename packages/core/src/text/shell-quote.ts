import { Buffer } from "node:buffer";

/** What a terminal obeys or does not show as it is, and ends of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * A word as a shell reads it back, whatever it holds, on one line that people can paste: in single quotes, within which nothing means anything. What
 * is not printable is spelt out in the quotes `$'…'` of bash and zsh.
 */
export function shellQuoted(word: string): string {
	if (!UNPRINTABLE.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
	const spelt = [...word].map((character) => (UNPRINTABLE.test(character) ? bytesOf(character) : character.replace(/['\\]/, "\\$&")));
	return `$'${spelt.join("")}'`;
}

/** In octal, three digits a byte: in hexadecimal a shell may take the letters behind it for digits, too. */
const bytesOf = (character: string): string => [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
