import { printable } from "./printable.js";

/** One JSON document as people can read it, too. */
export const jsonDocument = (value: unknown): string => `${harmless(JSON.stringify(value, null, 2))}\n`;

/** One line of JSON lines. */
export const jsonLine = (value: unknown): string => `${harmless(JSON.stringify(value))}\n`;

/**
 * The same value, without a character that a terminal obeys or that some readers take for the end of a line. They stand in strings only,
 * and are spelt as JSON spells them.
 */
const harmless = (json: string): string => printable(json).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
