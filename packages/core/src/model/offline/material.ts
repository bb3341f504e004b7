import { contentWords, stemOf } from "../../text/words.js";
import type { OfferedTool } from "./offered-tool.js";
import { type Token, type TokenKind, tokensOf } from "./tokens.js";

/** A message taken apart, and what of it has become an argument already. */
export interface Material {
	readonly text: string;
	readonly tokens: readonly Token[];
	readonly used: Set<Token>;
	/** The words of the tool itself, which are no argument of it. */
	readonly toolStems: ReadonlySet<string>;
}

export function materialOf(text: string, { name, description = "" }: OfferedTool): Material {
	return { text, tokens: tokensOf(text), used: new Set(), toolStems: new Set(contentWords(`${name} ${description}`).map(stemOf)) };
}

export const lower = (token: Token | undefined): string => token?.text.toLowerCase() ?? "";

export const stemOfToken = (token: Token): string => stemOf(lower(token).replace(/'s$/, ""));

export function unused({ tokens, used }: Material, ...kinds: readonly TokenKind[]): Token[] {
	return tokens.filter((token) => kinds.includes(token.kind) && !used.has(token));
}

/** Marks the tokens within a stretch of the text as used and gives the stretch back. */
export function take(material: Material, start: number, end: number): string {
	for (const token of material.tokens) if (token.start >= start && token.end <= end) material.used.add(token);
	return material.text.slice(start, end);
}

const ARTICLES = new Set(["a", "an", "the", "my", "our", "your", "this", "that", "these", "those", "all"]);

/** The word before a token, articles skipped: mostly the preposition that says what the token is for. */
export function wordBefore({ tokens }: Material, token: Token): string {
	let index = tokens.indexOf(token) - 1;
	while (ARTICLES.has(lower(tokens[index]))) index--;
	return lower(tokens[index]);
}

/** The prepositions that lead to a parameter called this. The first telling word counts: a `from_unit` comes from before it is a unit. */
export function cuesOf(nameStems: readonly string[]): ReadonlySet<string> {
	const telling = nameStems.find((stem) => CUES.has(stem));
	return new Set(telling === undefined ? [] : CUES.get(telling));
}

const FROM = ["from", "of"];
const TO = ["to", "into", "as", "in"];
const PLACE = ["in", "at", "for", "near", "around", "of", "from"];
const PERSON = ["to", "with", "for", "by", "from"];
const CUES = new Map<string, readonly string[]>(
	(
		[
			["from source src origin input old start departure base", FROM],
			["to target dest destination output new end arrival into", TO],
			["language lang", ["to", "into", "in"]],
			["city location place country town region where address timezone zone", PLACE],
			["person user username contact assignee recipient attendee name", PERSON],
			["currency unit", ["to", "into", "in"]],
			["date day when due deadline", ["on", "for", "by", "at", "until", "from"]],
			["author artist writer creator", ["by", "from"]],
		] as const
	).flatMap(([words, cues]) => words.split(" ").map((word) => [stemOf(word), cues] as const)),
);
