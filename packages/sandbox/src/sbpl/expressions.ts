import { ProfileError, quoted } from "./profile-error.js";
import { type Atom, tokensOf } from "./tokens.js";

export interface List {
	readonly kind: "list";
	readonly items: readonly Expression[];
	readonly start: number;
	readonly end: number;
	readonly line: number;
}
export type Expression = Atom | List;

/** Deeper nesting than any profile has; without a bound a hostile profile overflows the stack of what reads the tree. */
const MAX_DEPTH = 64;

/** The top-level lists of a profile. Throws a {@link ProfileError} where the parentheses do not match. */
export function parseExpressions(profile: string): readonly List[] {
	const top: List[] = [];
	const open: { readonly items: Expression[]; readonly start: number; readonly line: number }[] = [];
	for (const token of tokensOf(profile)) {
		if (token.kind === "open") {
			open.push({ items: [], start: token.start, line: token.line });
			if (open.length > MAX_DEPTH) throw new ProfileError("profile_unsupported", `lists nested deeper than ${MAX_DEPTH}`, token.line);
			continue;
		}
		if (token.kind === "close") {
			const closed = open.pop();
			if (closed === undefined) throw new ProfileError("profile_syntax", "a ) closes nothing", token.line);
			const list: List = { kind: "list", ...closed, end: token.end };
			(open.at(-1)?.items ?? top).push(list);
			continue;
		}
		const items = open.at(-1)?.items;
		if (items === undefined) throw new ProfileError("profile_syntax", `${quoted(String(token.value))} stands outside any list`, token.line);
		items.push(token);
	}
	const unclosed = open.at(-1);
	if (unclosed !== undefined) throw new ProfileError("profile_syntax", "a ( is not closed", unclosed.line);
	return top;
}

/** The symbol a list starts with. */
export function headOf(list: List): string {
	const [head] = list.items;
	if (head?.kind !== "symbol") throw new ProfileError("profile_syntax", "a list has to start with a symbol", list.line);
	return head.value;
}
