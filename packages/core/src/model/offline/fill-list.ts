import { fillText } from "./fill-text.js";
import { type Material, unused } from "./material.js";
import { namesIn } from "./names.js";
import type { Parameter } from "./parameter.js";
import type { Role } from "./role.js";
import type { Token, TokenKind } from "./tokens.js";

const KINDS: Partial<Record<Role, readonly TokenKind[]>> = {
	url: ["url"],
	email: ["email"],
	path: ["path"],
	date: ["date"],
	host: ["host"],
};
const ARGUMENT_KINDS: readonly TokenKind[] = ["path", "quoted", "number", "flag", "url", "email", "date", "host"];

/** A list: every piece that looks like an item. */
export function fillList(parameter: Parameter, role: Role, material: Material): unknown[] | undefined {
	if (parameter.items === "number" || parameter.items === "integer")
		return nonEmpty(useAll(unused(material, "number"), material).map(({ value }) => value));
	if (parameter.items !== "string") return undefined;
	if (parameter.name === "args" || parameter.name === "argv" || parameter.name === "arguments") return commandLineArguments(material);
	const kinds = KINDS[role];
	if (kinds !== undefined) return nonEmpty(texts(unused(material, ...kinds), material));
	return (
		nonEmpty(texts(unused(material, "quoted"), material)) ?? names(material) ?? (parameter.required ? enumeration(material) : undefined)
	);
}

/** What a command line would be given: paths, quoted texts, numbers written in digits and flags, in the order of the message. */
export function commandLineArguments(material: Material): string[] | undefined {
	const tokens = unused(material, ...ARGUMENT_KINDS).filter(({ kind, text }) => kind !== "number" || /\d/.test(text));
	return nonEmpty(texts(tokens, material));
}

function names(material: Material): string[] | undefined {
	const found = namesIn(material);
	for (const token of material.tokens)
		if (found.some(({ first, last }) => token.start >= first.start && token.end <= last.end)) material.used.add(token);
	return nonEmpty(found.map(({ first, last }) => material.text.slice(first.start, last.end)));
}

/** `milk, eggs and bread` */
function enumeration(material: Material): string[] | undefined {
	const phrase = fillText(material);
	return phrase === undefined ? undefined : nonEmpty(phrase.split(/\s*,\s*(?:and\s+)?|\s+and\s+/).filter((item) => item !== ""));
}

const texts = (tokens: readonly Token[], material: Material): string[] => useAll(tokens, material).map(({ text }) => text);

function useAll(tokens: readonly Token[], { used }: Material): readonly Token[] {
	for (const token of tokens) used.add(token);
	return tokens;
}

const nonEmpty = <T>(items: T[]): T[] | undefined => (items.length === 0 ? undefined : items);
