import { replaceUnseen } from "@robot-lab/core";

/**
 * Text from skills, models and scripts as it may be shown: what a terminal would obey (escape sequences, carriage returns, bells,
 * bidirectional overrides) and what nobody would see is spelt out, so that a log line or a description cannot rewrite what stands around it. Lines
 * stay lines: a fact that has one line is shown by {@link printableLine}.
 */
export function printable(text: string): string {
	return replaceUnseen(text.replace(/\r\n/g, "\n"), spelt);
}

/** The same on one line, cut to `length` characters. */
export function printableLine(text: string, length: number = Number.POSITIVE_INFINITY): string {
	const line = printable(text.replace(/\s+/g, " ").trim());
	return line.length > length ? `${line.slice(0, Math.max(0, length - 1)).trimEnd()}…` : line;
}

/** The same, cut in its middle: of a path the end says which one it is, of arguments it may be what matters. */
export function printableEnds(text: string, length: number): string {
	const line = printableLine(text);
	if (line.length <= length) return line;
	const end = Math.floor((length - 1) / 2);
	return `${line.slice(0, length - 1 - end)}…${line.slice(line.length - end)}`;
}

function spelt(character: string): string {
	const code = (character.codePointAt(0) ?? 0).toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
