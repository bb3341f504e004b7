import { Buffer } from "node:buffer";
import { replaceUnseen } from "./unseen.js";

const WHITE = /[\t\n]/g;

/**
 * A word as a shell reads it back, whatever it holds, on one line that people can paste: in single quotes, within which nothing means anything. What
 * a terminal obeys or nobody sees is spelt out in the quotes `$'…'` of bash and zsh.
 */
export function shellQuoted(word: string): string {
	const spelt = replaceUnseen(word.replace(/['\\]/g, "\\$&"), bytesOf).replace(WHITE, bytesOf);
	return isPrintable(word) ? `'${word.replaceAll("'", "'\\''")}'` : `$'${spelt}'`;
}

const isPrintable = (word: string): boolean => !/[\t\n]/.test(word) && replaceUnseen(word, () => "") === word;

/** In octal, three digits a byte: in hexadecimal a shell may take the letters behind it for digits, too. */
const bytesOf = (character: string): string => [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
