import { stemOf, wordsOf } from "../../text/words.js";
import { cuesOf, lower, type Material, stemOfToken, wordBefore } from "./material.js";
import type { Parameter } from "./parameter.js";
import { likeness } from "./related-words.js";
import type { Token } from "./tokens.js";

interface Found {
	readonly choice: unknown;
	readonly tokens: readonly Token[];
	readonly likeness: number;
}

const NEGATIONS = new Set(["no", "not", "without", "don't", "dont", "never", "skip", "exclude", "excluding", "disable", "avoid"]);

/** The choice the message names: the one behind the parameter's own preposition, else, unless only that counts, the one named most exactly. */
export function fillChoice(parameter: Parameter, material: Material, cuedOnly: boolean): unknown {
	const found = parameter.choices.flatMap((choice) => findChoice(choice, material)).sort((left, right) => right.likeness - left.likeness);
	const cues = cuesOf(parameter.nameStems);
	const cued = found.find(({ tokens }) => tokens[0] !== undefined && cues.has(wordBefore(material, tokens[0])));
	const best = cued ?? (cuedOnly ? undefined : found[0]);
	for (const token of best?.tokens ?? []) material.used.add(token);
	return best?.choice;
}

function findChoice(choice: unknown, { tokens, used }: Material): Found[] {
	const free = tokens.filter((token) => !used.has(token));
	if (typeof choice === "number") {
		return free.filter(({ value }) => value === choice).map((token) => ({ choice, tokens: [token], likeness: 1 }));
	}
	const whole = free.find((token) => lower(token) === String(choice).toLowerCase());
	if (whole !== undefined) return [{ choice, tokens: [whole], likeness: 1.1 }];
	const stems = wordsOf(String(choice)).map(stemOf);
	const matched = stems.map((stem) => bestToken(stem, free));
	if (stems.length === 0 || matched.some((match) => match === undefined)) return [];
	const found = matched.flatMap((match) => match ?? []);
	return [{ choice, tokens: found.map(({ token }) => token), likeness: Math.min(...found.map((match) => match.likeness)) }];
}

function bestToken(stem: string, tokens: readonly Token[]): { readonly token: Token; readonly likeness: number } | undefined {
	const words = tokens.filter(({ kind }) => kind === "word");
	const alike = words.map((token) => ({ token, likeness: likeness(stemOfToken(token), stem) })).filter((match) => match.likeness > 0);
	return alike.sort((left, right) => right.likeness - left.likeness)[0];
}

/** Whether the message asks for it: its name's words all appear, a `no` or `without` before them turns it round. */
export function fillBoolean(parameter: Parameter, { tokens }: Material): boolean | undefined {
	const stems = parameter.nameStems.filter(
		(stem) => !["is", "be", "use", "do", "should", "includ", "enabl", "with", "show"].includes(stem),
	);
	const indexes = stems.map((stem) => tokens.findIndex((token) => token.kind === "word" && likeness(stemOfToken(token), stem) >= 0.8));
	if (indexes.length === 0 || indexes.includes(-1)) return undefined;
	const first = Math.min(...indexes);
	return !tokens.slice(Math.max(0, first - 2), first).some((token) => NEGATIONS.has(lower(token)));
}
