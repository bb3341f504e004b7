import { STOP_WORDS } from "../../text/stop-words.js";
import { fillText } from "./fill-text.js";
import { ARITHMETIC } from "./kind-evidence.js";
import { cuesOf, lower, type Material, stemOfToken, take, unused, wordBefore } from "./material.js";
import { namesIn } from "./names.js";
import type { Parameter } from "./parameter.js";
import type { Role } from "./role.js";
import type { Token, TokenKind } from "./tokens.js";

const KINDS: Partial<Record<Role, readonly TokenKind[]>> = {
	url: ["url", "host"],
	email: ["email"],
	path: ["path"],
	host: ["host", "url"],
	date: ["date"],
	time: ["time"],
};
const RELATIVE_DATE =
	/\b(?:(?:next|this|last|on|by)\s+)?(?:today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:next|this|last)\s+(?:week|month|year|weekend))\b/i;

/** One text argument. Optional ones are filled from what plainly looks like them only. */
export function fillString(parameter: Parameter, role: Role, material: Material): string | undefined {
	return byPattern(parameter, material) ?? byKind(parameter, role, material) ?? byRole(parameter, role, material);
}

/** A schema's own pattern tells best what is meant. */
function byPattern({ pattern }: Parameter, material: Material): string | undefined {
	const token = pattern && material.tokens.find((each) => !material.used.has(each) && pattern.test(each.text));
	return token && use(token, material);
}

const byKind = (parameter: Parameter, role: Role, material: Material): string | undefined =>
	ofKinds(KINDS[role] ?? [], parameter, material);

/** A path or an address, for a `source` or `target` that does not say what it is. */
const literal = (parameter: Parameter, material: Material): string | undefined =>
	ofKinds(["path", "url", "email", "host"], parameter, material);

function ofKinds(kinds: readonly TokenKind[], parameter: Parameter, material: Material): string | undefined {
	const candidates = unused(material, ...kinds);
	const cues = cuesOf(parameter.nameStems);
	const token = candidates.find((each) => cues.has(wordBefore(material, each))) ?? candidates[0];
	return token && use(token, material);
}

function byRole(parameter: Parameter, role: Role, material: Material): string | undefined {
	switch (role) {
		case "date":
			return byRegExp(RELATIVE_DATE, material)?.replace(/^(?:on|by)\s+/i, "");
		case "expression":
			return byRegExp(ARITHMETIC, material) ?? quoted(material);
		case "text":
			return quoted(material) ?? (parameter.required ? fillText(material) : afterName(parameter, material));
		case "path":
		case "host":
		case "url":
			return parameter.required ? (quoted(material) ?? namedThing(parameter, material)) : undefined;
		case "name":
			return (
				name(parameter, material) ??
				(parameter.required ? (quoted(material) ?? literal(parameter, material)) : undefined) ??
				namedThing(parameter, material)
			);
		case "any":
			return anything(parameter, material);
		default:
			return undefined;
	}
}

function anything(parameter: Parameter, material: Material): string | undefined {
	const named = afterName(parameter, material);
	if (named !== undefined || !parameter.required) return named;
	return (
		quoted(material) ?? literal(parameter, material) ?? name(parameter, material) ?? namedThing(parameter, material) ?? fillText(material)
	);
}

/** A proper name, best behind the parameter's own preposition. */
function name(parameter: Parameter, material: Material): string | undefined {
	const names = namesIn(material);
	const cues = cuesOf(parameter.nameStems);
	const best = names.find(({ first }) => cues.has(wordBefore(material, first))) ?? (parameter.required ? names[0] : undefined);
	return best && take(material, best.first.start, best.last.end);
}

/** `the downloads folder`, `branch main`: the plain word next to the parameter's name, or behind its preposition. */
function namedThing(parameter: Parameter, material: Material): string | undefined {
	const named = afterName(parameter, material);
	if (named !== undefined || !parameter.required) return named;
	const cues = cuesOf(parameter.nameStems);
	const token = material.tokens.find((each) => isPlain(each, material) && cues.has(wordBefore(material, each)));
	return token && use(token, material);
}

function afterName({ nameStems }: Parameter, material: Material): string | undefined {
	const at = material.tokens.findIndex((token) => token.kind === "word" && nameStems.includes(stemOfToken(token)));
	if (at === -1) return undefined;
	const next = material.tokens[at + 1];
	const called = ["called", "named", "is", "to", "as", "of", "for"].includes(lower(next)) ? material.tokens[at + 2] : next;
	const token = [called, material.tokens[at - 1]].find((each) => each !== undefined && (each.kind === "quoted" || isPlain(each, material)));
	return token && use(token, material);
}

const isPlain = (token: Token, { used }: Material): boolean =>
	token.kind === "word" && !used.has(token) && !STOP_WORDS.has(lower(token)) && !token.initial;

function quoted(material: Material): string | undefined {
	const [token] = unused(material, "quoted");
	return token && use(token, material);
}

function byRegExp(pattern: RegExp, material: Material): string | undefined {
	const match = pattern.exec(material.text);
	return match === null ? undefined : take(material, match.index, match.index + match[0].length).trim();
}

function use(token: Token, { used }: Material): string {
	used.add(token);
	return token.text;
}
