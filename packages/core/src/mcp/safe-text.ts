import { seenText, wholeCharacters } from "../text/seen-text.js";

/** A server's text without what nobody sees, at most so many characters of it, with the cut named in the text. */
export function boundedText(text: string, maxCharacters: number): string {
	// What is cut away is not cleaned first: it may be megabytes.
	const seen = seenText(text.slice(0, maxCharacters * 2));
	const kept = wholeCharacters(seen, maxCharacters);
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
