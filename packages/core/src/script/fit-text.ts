/**
 * `text` cut to `maxBytes` of UTF-8, the cut's name included: a quarter from the head, the rest from the tail, where a
 * script says how it ended. No character is split.
 */
export function fitText(text: string, maxBytes: number): string {
	if (text.length * 3 <= maxBytes) return text;
	const bytes = Buffer.from(text);
	if (bytes.length <= maxBytes) return text;
	const room = Math.max(0, maxBytes - Buffer.byteLength(cutName(bytes.length)));
	const headEnd = characterStart(bytes, Math.floor(room / 4));
	const tailStart = nextCharacter(bytes, bytes.length - (room - Math.floor(room / 4)));
	return `${bytes.toString("utf8", 0, headEnd)}${cutName(tailStart - headEnd)}${bytes.toString("utf8", tailStart)}`;
}

const cutName = (bytes: number): string => `\n[… ${bytes} bytes left out …]\n`;

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
