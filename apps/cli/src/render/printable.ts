/**
 * Text from skills, models and scripts as it may be shown: what a terminal would obey (escape sequences, carriage returns, bells,
 * bidirectional overrides) is spelt out, so that a log line or a description cannot rewrite what stands around it.
 */
export function printable(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
	return text.replace(/\r\n/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, spelt);
}

/** The same on one line, cut to `length` characters. */
export function printableLine(text: string, length: number = Number.POSITIVE_INFINITY): string {
	const line = printable(text.replace(/\s+/g, " ").trim());
	return line.length > length ? `${line.slice(0, Math.max(0, length - 1)).trimEnd()}…` : line;
}

function spelt(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
