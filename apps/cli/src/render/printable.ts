/**
 * Control characters but tab and line feed, marks that turn the direction of what follows, and what nobody sees. Joiners (U+200C, U+200D) stay:
 * there are languages, and pictures, that are written with them.
 */
const UNSEEN =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Text from skills, models and scripts as it may be shown: what a terminal would obey (escape sequences, carriage returns, bells,
 * bidirectional overrides) is spelt out, so that a log line or a description cannot rewrite what stands around it.
 */
export function printable(text: string): string {
	return text.replace(/\r\n/g, "\n").replace(UNSEEN, spelt);
}

/** The same on one line, cut to `length` characters. */
export function printableLine(text: string, length: number = Number.POSITIVE_INFINITY): string {
	const line = printable(text.replace(/\s+/g, " ").trim());
	return line.length > length ? `${line.slice(0, Math.max(0, length - 1)).trimEnd()}…` : line;
}

function spelt(character: string): string {
	const code = (character.codePointAt(0) ?? 0).toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
