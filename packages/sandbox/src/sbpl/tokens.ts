import { ProfileError, quoted } from "./profile-error.js";

interface Span {
	/** Offsets into the profile's text. */
	readonly start: number;
	readonly end: number;
	readonly line: number;
}

export type Atom = Span &
	(
		| { readonly kind: "string"; readonly value: string }
		| { readonly kind: "symbol"; readonly value: string }
		| { readonly kind: "number"; readonly value: number }
		| { readonly kind: "boolean"; readonly value: boolean }
	);
export type Token = Atom | (Span & { readonly kind: "open" }) | (Span & { readonly kind: "close" });

/** The profile reader of macOS gives up on longer literals. Counted as they stand in the profile, escapes included, to be on the safe side. */
const MAX_LITERAL_BYTES = 1025;

const BLANK = /[ \t\r\n]+|;[^\n]*/y;
const WORD = /[^\s()";]+/y;
const NUMBER = /^-?\d+$|^#x[0-9a-f]+$|^#o[0-7]+$|^#b[01]+$/i;
const SYMBOL = /^[a-z_%][a-z0-9_*.%-]*$/i;
const RADIX: Readonly<Record<string, number>> = { x: 16, o: 8, b: 2 };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but for the white space that separates tokens
const CONTROL_OUTSIDE_STRINGS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const matchAt = (pattern: RegExp, text: string, offset: number): RegExpExecArray | null => {
	pattern.lastIndex = offset;
	return pattern.exec(text);
};

/** Splits a profile into tokens. Throws a {@link ProfileError} at the first thing that is none. */
export function* tokensOf(profile: string): Generator<Token> {
	let line = 1;
	let offset = 0;
	while (offset < profile.length) {
		const blank = matchAt(BLANK, profile, offset)?.[0];
		const start = offset;
		if (blank === undefined) {
			const token = readToken(profile, offset, line);
			yield token;
			offset = token.end;
		} else {
			if (CONTROL_OUTSIDE_STRINGS.test(blank)) throw new ProfileError("profile_syntax", "a profile cannot hold control characters", line);
			offset += blank.length;
		}
		line += profile.slice(start, offset).split("\n").length - 1;
	}
}

function readToken(profile: string, start: number, line: number): Token {
	const first = profile[start];
	if (first === "(") return { kind: "open", start, end: start + 1, line };
	if (first === ")") return { kind: "close", start, end: start + 1, line };
	if (first === '"') return readString(profile, { start, line, raw: false });
	if (profile.startsWith('#"', start)) return readString(profile, { start, line, raw: true });
	return readWord(profile, start, line);
}

function readString(profile: string, { start, line, raw }: { start: number; line: number; raw: boolean }): Token {
	const from = start + (raw ? 2 : 1);
	let to = from;
	while (to < profile.length && profile[to] !== '"') to += !raw && profile[to] === "\\" ? 2 : 1;
	if (to >= profile.length) throw new ProfileError("profile_syntax", "a string is not closed", line);
	const body = profile.slice(from, to);
	if (Buffer.byteLength(body) > MAX_LITERAL_BYTES) {
		throw new ProfileError("profile_syntax", `a string of more than ${MAX_LITERAL_BYTES} bytes cannot be read`, line);
	}
	if (CONTROL.test(body)) throw new ProfileError("profile_syntax", "a string cannot hold control characters", line);
	return { kind: "string", value: raw ? body : decodeEscapes(body, line), start, end: to + 1, line };
}

function decodeEscapes(body: string, line: number): string {
	return body.replace(/\\([\s\S])/g, (_, escaped: string) => {
		if (escaped === "\\" || escaped === '"') return escaped;
		throw new ProfileError("profile_unsupported", `the escape \\${escaped} in a string is not known; use \\\\ or \\"`, line);
	});
}

function readWord(profile: string, start: number, line: number): Token {
	const word = matchAt(WORD, profile, start)?.[0] ?? "";
	const span = { start, end: start + word.length, line };
	if (word === "#t" || word === "#f") return { kind: "boolean", value: word === "#t", ...span };
	if (NUMBER.test(word)) return { kind: "number", value: numberOf(word), ...span };
	if (SYMBOL.test(word)) return { kind: "symbol", value: word, ...span };
	throw new ProfileError("profile_syntax", `${quoted(word)} is no symbol, number, boolean or string`, line);
}

function numberOf(word: string): number {
	const radix = word.startsWith("#") ? RADIX[word.charAt(1).toLowerCase()] : undefined;
	return radix === undefined ? Number.parseInt(word, 10) : Number.parseInt(word.slice(2), radix);
}
