import { isRecord } from "../text/describe-value.js";
import { selectionFlaw } from "../value/selection.js";
import type { DeclaredMap } from "./declared-map.js";

/** What may stand below a key. Ranges are the business of whoever takes the value. */
export type DeclaredKind = "text" | "number" | "flag" | "texts" | "values" | "selection" | "skills" | "compaction";

/** How that is said, and whether a value is one. */
const KINDS: Readonly<Record<DeclaredKind, readonly [needed: string, isRight: (value: unknown) => boolean]>> = {
	text: ["a text", (value) => typeof value === "string"],
	number: ["a number", (value) => typeof value === "number"],
	flag: ["true or false", (value) => typeof value === "boolean"],
	texts: ["a list of texts", isTexts],
	values: ["a map of values", isRecord],
	selection: ["inherit, none or a list of names", (value) => selectionFlaw(value) === undefined],
	skills: ["auto or a list of names of skills", (value) => value === "auto" || isTexts(value)],
	compaction: ["none or context_window", (value) => value === "none" || value === "context_window"],
};

/** What stands below a key, as plain data; `undefined` where nothing does. Throws ConfigurationError for another kind of value. */
export function declaredValue(map: DeclaredMap, key: string, kind: DeclaredKind): unknown {
	const value = map.value(key);
	if (value === undefined) return undefined;
	const [needed, isRight] = KINDS[kind];
	if (!isRight(value)) throw map.wrong(key, needed, value);
	return value;
}

/** What stands below keys, by the options they are for; what is not there is left out. */
export function declaredValues<Option extends string>(
	map: DeclaredMap,
	kinds: Readonly<Partial<Record<Option, DeclaredKind>>>,
	spell: (option: string) => string,
): Readonly<Partial<Record<Option, unknown>>> {
	const entries = Object.entries<DeclaredKind | undefined>(kinds).map(
		([option, kind]) => [option, kind && declaredValue(map, spell(option), kind)] as const,
	);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Readonly<Partial<Record<Option, unknown>>>;
}

function isTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
