/** Which bytes one step of a pattern takes. */
export interface ByteSet {
	readonly negated: boolean;
	readonly ranges: readonly (readonly [low: number, high: number])[];
}

/** A regular expression as a tree. */
export type PatternNode =
	| { readonly kind: "byte"; readonly set: ByteSet }
	| { readonly kind: "start" }
	| { readonly kind: "end" }
	| { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
	| { readonly kind: "choice"; readonly options: readonly PatternNode[] }
	| { readonly kind: "repeat"; readonly part: PatternNode; readonly quantifier: Quantifier };
export type Quantifier = "*" | "+" | "?";

/** Says what a pattern has that is not understood. */
export type Refuse = (what: string) => never;

interface Cursor {
	readonly characters: readonly string[];
	readonly refuse: Refuse;
	at: number;
	depth: number;
}

/** Deeper groups than any profile has; without a bound a hostile pattern overflows the stack. */
const MAX_DEPTH = 64;
const ANY_BYTE: ByteSet = { negated: true, ranges: [] };
const LAST_ASCII = 0x7f;

const single = (byte: number): PatternNode => ({ kind: "byte", set: { negated: false, ranges: [[byte, byte]] } });
const isQuantifier = (character: string | undefined): character is Quantifier =>
	character === "*" || character === "+" || character === "?";
const peek = (cursor: Cursor): string | undefined => cursor.characters[cursor.at];

/** Reads a regular expression of a profile, whole or not at all. */
export function parsePattern(pattern: string, refuse: Refuse): PatternNode {
	const cursor: Cursor = { characters: [...pattern], refuse, at: 0, depth: 0 };
	const node = readChoice(cursor);
	if (peek(cursor) !== undefined) refuse("a ) that closes nothing");
	return node;
}

function readChoice(cursor: Cursor): PatternNode {
	const options = [readSequence(cursor)];
	while (peek(cursor) === "|") {
		cursor.at += 1;
		options.push(readSequence(cursor));
	}
	return { kind: "choice", options };
}

function readSequence(cursor: Cursor): PatternNode {
	const parts: PatternNode[] = [];
	for (let next = peek(cursor); next !== undefined && next !== "|" && next !== ")"; next = peek(cursor)) {
		parts.push(readRepeated(cursor));
	}
	if (parts.length === 0) cursor.refuse("an alternative that is empty");
	return { kind: "sequence", parts };
}

function readRepeated(cursor: Cursor): PatternNode {
	const first = peek(cursor) ?? "";
	const part = readOne(cursor);
	const quantifier = peek(cursor);
	if (!isQuantifier(quantifier)) return part;
	cursor.at += 1;
	if (part.kind === "start" || part.kind === "end") cursor.refuse("a quantifier after ^ or $");
	if (isQuantifier(peek(cursor))) cursor.refuse("two quantifiers in a row");
	// macOS compiles byte by byte: it would repeat the last byte alone.
	if (!isAscii(first)) cursor.refuse("a quantifier after a character that is not ASCII");
	return { kind: "repeat", part, quantifier };
}

function readOne(cursor: Cursor): PatternNode {
	const character = peek(cursor) ?? "";
	if (character === "(") return readGroup(cursor);
	if (character === "[") return { kind: "byte", set: readBracket(cursor) };
	if (character === "\\") return readEscape(cursor);
	if (character === "{") cursor.refuse("a repeat count");
	if (isQuantifier(character)) cursor.refuse("a quantifier with nothing before it");
	cursor.at += 1;
	if (character === "^") return { kind: "start" };
	if (character === "$") return { kind: "end" };
	if (character === ".") return { kind: "byte", set: ANY_BYTE };
	if (isAscii(character)) return single(character.charCodeAt(0));
	return { kind: "sequence", parts: [...Buffer.from(character)].map(single) };
}

function readGroup(cursor: Cursor): PatternNode {
	cursor.at += 1;
	cursor.depth += 1;
	if (cursor.depth > MAX_DEPTH) cursor.refuse(`groups nested deeper than ${MAX_DEPTH}`);
	if (peek(cursor) === "?") cursor.refuse("a (?");
	const node = readChoice(cursor);
	if (peek(cursor) !== ")") cursor.refuse("a ( that is not closed");
	cursor.at += 1;
	cursor.depth -= 1;
	return node;
}

function readEscape(cursor: Cursor): PatternNode {
	const escaped = cursor.characters[cursor.at + 1];
	if (escaped === undefined || !isAscii(escaped) || /[a-z0-9]/i.test(escaped)) {
		return cursor.refuse("a backslash before a letter, a digit or the end");
	}
	cursor.at += 2;
	return single(escaped.charCodeAt(0));
}

function readBracket(cursor: Cursor): ByteSet {
	const { characters, refuse } = cursor;
	const negated = characters[cursor.at + 1] === "^";
	const first = cursor.at + (negated ? 2 : 1);
	// A ] in the first place stands for itself.
	const end = characters.indexOf("]", first + 1);
	if (end === -1) refuse("a [ that is not closed");
	cursor.at = end + 1;
	return { negated, ranges: rangesOf(characters.slice(first, end), refuse) };
}

function rangesOf(members: readonly string[], refuse: Refuse): (readonly [number, number])[] {
	const text = members.join("");
	if (/\\|\[[:.=]/.test(text)) refuse("a backslash or a character class in brackets");
	if (!isAscii(text)) refuse("a character in brackets that is not ASCII");
	const ranges: (readonly [number, number])[] = [];
	for (let at = 0; at < text.length; at += 1) {
		const low = text.charCodeAt(at);
		const isRange = text.charAt(at + 1) === "-" && at + 2 < text.length;
		if (text.charAt(at) === "-" && at > 0 && at < text.length - 1) refuse("a - in brackets that is neither first nor last nor a range");
		const high = isRange ? text.charCodeAt(at + 2) : low;
		if (high < low) refuse("a range in brackets that is empty");
		ranges.push([low, high]);
		if (isRange) at += 2;
	}
	return ranges;
}

function isAscii(text: string): boolean {
	for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > LAST_ASCII) return false;
	return true;
}
