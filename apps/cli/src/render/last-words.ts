import { stripVTControlCharacters } from "node:util";
import { printableLine } from "./printable.js";

/** Far more than a line shows. */
const MAX_KEPT = 1_000;

/** The end of text that comes in pieces. */
export interface LastWords {
	/** The last line with something in it. */
	readonly said: string;
	/** What stands behind the last line break. */
	readonly open: string;
}

export const NO_WORDS: LastWords = { said: "", open: "" };

/** The same when another piece has come. */
export function wordsWith({ said, open }: LastWords, piece: string): LastWords {
	// a progress bar returns to the beginning of its line
	const lines = `${open}${piece}`.slice(-MAX_KEPT).split(/\r\n|\n|\r/);
	const last = lines.map((line) => printableLine(stripVTControlCharacters(line))).findLast((line) => line !== "");
	return { said: last ?? said, open: lines.at(-1) ?? "" };
}
