/** Steers terminals and hides or turns round what a person would read: control characters, zero widths, directions, tags. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\0-\x08\x0B-\x1F\x7F-\x9F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
const HALF_A_CHARACTER = /\p{Surrogate}/gu;

/** A server's text without what nobody sees. Lines stay lines. */
export const seenText = (text: string): string =>
	text.replaceAll(/\r\n?/g, "\n").replaceAll(UNSEEN, "").replaceAll(HALF_A_CHARACTER, "\uFFFD");

/** The same, at most so many characters of it, with the cut named in the text. */
export function boundedText(text: string, maxCharacters: number): string {
	// What is cut away is not cleaned first: it may be megabytes.
	const seen = seenText(text.slice(0, maxCharacters * 2));
	const kept = seen.slice(0, maxCharacters).replaceAll(HALF_A_CHARACTER, "");
	const isCut = text.length > maxCharacters * 2 || seen.length > maxCharacters;
	return isCut ? `${kept}… (cut: the server wrote ${text.length} characters)` : kept;
}

/** Puts a word in the place of each secret. Short ones would take ordinary words away with them, and are left. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
	let shown = text;
	for (const secret of secrets) if (secret.length >= SHORTEST_SECRET) shown = shown.replaceAll(secret, "[hidden]");
	return shown;
}

const SHORTEST_SECRET = 6;
