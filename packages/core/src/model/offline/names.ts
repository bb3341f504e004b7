import type { Material } from "./material.js";
import type { Token } from "./tokens.js";

/** One or more capitalised words in a row. */
export interface Name {
	readonly first: Token;
	readonly last: Token;
}

/** The proper names of a message that are no argument yet. The first word of a sentence is none: it is capital anyway. */
export function namesIn({ text, tokens, used }: Material): Name[] {
	const names: Name[] = [];
	for (const token of tokens) {
		if (used.has(token) || !isCapital(token)) continue;
		const open = names.at(-1);
		if (open !== undefined && /^\s+$/.test(text.slice(open.last.end, token.start))) names[names.length - 1] = { ...open, last: token };
		else names.push({ first: token, last: token });
	}
	return names;
}

const isCapital = (token: Token): boolean =>
	token.kind === "word" && !token.initial && /^[@#]?\p{Lu}/u.test(token.text) && !/^I(?:['’]|$)/.test(token.text);
