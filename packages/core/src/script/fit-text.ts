import { cutNotice } from "../text/cut-notice.js";

/** Which bytes of a text are left out, and how many that makes of what there once was. */
interface Cut {
	readonly start: number;
	readonly end: number;
	readonly bytes: number;
}

/**
 * `text` cut to `maxBytes` of UTF-8, the notice of the cut included: a quarter from the head, the rest from the tail, where a
 * script says how it ended. No character is split.
 *
 * @param truncatedBytes What had been cut from the text before. Where that notice falls to this cut, the new one counts both.
 */
export function fitText(text: string, maxBytes: number, truncatedBytes = 0): string {
	if (text.length * 3 <= maxBytes) return text;
	const bytes = Buffer.from(text);
	if (bytes.length <= maxBytes) return text;
	const room = Math.max(0, maxBytes - Buffer.byteLength(cutNotice(bytes.length + truncatedBytes)));
	const start = characterStart(bytes, Math.floor(room / 4));
	const end = nextCharacter(bytes, bytes.length - (room - Math.floor(room / 4)));
	const cut = truncatedBytes > 0 ? withEarlierCut(bytes, start, end, truncatedBytes) : { start, end, bytes: end - start };
	return `${bytes.toString("utf8", 0, cut.start)}${cutNotice(cut.bytes)}${bytes.toString("utf8", cut.end)}`;
}

/** Takes in the earlier notice when it lies in the cut, or on an end of it. One that stays goes on speaking for itself. */
function withEarlierCut(bytes: Buffer, start: number, end: number, truncatedBytes: number): Cut {
	const notice = Buffer.from(cutNotice(truncatedBytes));
	const at = bytes.indexOf(notice, Math.max(0, start - notice.length + 1));
	if (at !== -1 && at < end) {
		const from = Math.min(start, at);
		const to = Math.max(end, at + notice.length);
		return { start: from, end: to, bytes: to - from - notice.length + truncatedBytes };
	}
	return { start, end, bytes: end - start + (bytes.includes(notice) ? 0 : truncatedBytes) };
}

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function characterStart(bytes: Uint8Array, index: number): number {
	let start = index;
	while (isInsideCharacter(bytes[start])) start--;
	return start;
}

function nextCharacter(bytes: Uint8Array, index: number): number {
	let start = index;
	while (isInsideCharacter(bytes[start])) start++;
	return start;
}
