/** The words of a text, or why it has none. A failure is a value: its message goes to the model. */
export type SplitWords = { readonly ok: true; readonly words: readonly string[] } | { readonly ok: false; readonly message: string };

const BLANKS = " \t\n";
/** The characters a backslash still escapes between double quotes. */
const ESCAPED_IN_DOUBLE_QUOTES = '$`"\\';

interface Reading {
	readonly text: string;
	at: number;
	/** The word being read; `undefined` between words, so that `""` makes one. */
	word: string | undefined;
}

/**
 * Splits a text into words as a POSIX shell does: blanks part words, quotes and backslashes take characters literally, a
 * backslash before a line end joins lines. Nothing else means anything: no variables, globs, operators, comments or `~`.
 *
 * Our own, because each package for it gets something of this wrong: an empty quoted word, an escaped blank, an
 * unbalanced quote, or a `$` or `;` that must stay what it is.
 */
export function splitWords(text: string): SplitWords {
	const words: string[] = [];
	const reading: Reading = { text, at: 0, word: undefined };
	while (reading.at < text.length) {
		const character = text[reading.at++] as string;
		if (BLANKS.includes(character)) finishWord(reading, words);
		else if (!readPart(reading, character)) return unbalanced(character, text);
	}
	finishWord(reading, words);
	return { ok: true, words };
}

function finishWord(reading: Reading, words: string[]): void {
	if (reading.word !== undefined) words.push(reading.word);
	reading.word = undefined;
}

/** Whether the part that starts with `character` comes to its end. */
function readPart(reading: Reading, character: string): boolean {
	if (character === "'") return readSingleQuoted(reading);
	if (character === '"') return readDoubleQuoted(reading);
	if (character === "\\") return readEscaped(reading);
	reading.word = (reading.word ?? "") + character;
	return true;
}

function readSingleQuoted(reading: Reading): boolean {
	const end = reading.text.indexOf("'", reading.at);
	if (end === -1) return false;
	reading.word = (reading.word ?? "") + reading.text.slice(reading.at, end);
	reading.at = end + 1;
	return true;
}

function readDoubleQuoted(reading: Reading): boolean {
	const { text } = reading;
	let quoted = "";
	for (; reading.at < text.length; reading.at++) {
		const character = text[reading.at] as string;
		if (character === '"') {
			reading.at++;
			reading.word = (reading.word ?? "") + quoted;
			return true;
		}
		quoted += character === "\\" ? escapedInDoubleQuotes(reading) : character;
	}
	return false;
}

function escapedInDoubleQuotes(reading: Reading): string {
	const next = reading.text[reading.at + 1] ?? "";
	if (next === "\n") {
		reading.at++;
		return "";
	}
	if (next === "" || !ESCAPED_IN_DOUBLE_QUOTES.includes(next)) return "\\";
	reading.at++;
	return next;
}

function readEscaped(reading: Reading): boolean {
	const next = reading.text[reading.at++];
	if (next === undefined) return false;
	if (next !== "\n") reading.word = (reading.word ?? "") + next;
	return true;
}

function unbalanced(opener: string, text: string): SplitWords {
	const shown = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
	const flaw = opener === "\\" ? "ends in a backslash that escapes nothing" : `has a ${opener} that is never closed`;
	return { ok: false, message: `args ${shown} ${flaw}. Quote it as for a POSIX shell, or give args as an array of strings.` };
}
