const PLAIN = /^[\w@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** A word as bash reads it back, and on one line that no terminal obeys. */
export function shellWord(word: string): string {
	if (PLAIN.test(word)) return word;
	if (!UNPRINTABLE.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
	const spelt = [...word].map((character) => (UNPRINTABLE.test(character) ? escaped(character) : character.replace(/['\\]/, "\\$&")));
	return `$'${spelt.join("")}'`;
}

const escaped = (character: string): string =>
	[...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
