import { nearestNames } from "../text/nearest-names.js";
import { shorten } from "../text/shorten.js";
import { SECTION_NAMES, SETTINGS } from "./settings.js";
import { snakeCase } from "./snake-case.js";

/** Something that nobody knows, where a setting is expected. */
export interface UnknownSetting {
	/** As files would spell it, from the top. */
	readonly name: string;
	/** As it is written: the variable, or the name. */
	readonly written: string;
	/** Where that stands in a file, e.g. `line 3`. */
	readonly where?: string;
	/** The keys that stand in it, if it is a section. */
	readonly holds?: readonly string[];
	/** How the writer spells a known setting. Default: as files do. */
	readonly spell?: (name: string) => string;
}

const MAX_NAMED = 10;
const MAX_SHOWN_CHARACTERS = 80;

/** What is unknown in one place, in one sentence; nothing when nothing is. Never a value: it may be a secret. */
export function unknownText(place: string, unknown: readonly UnknownSetting[]): string | undefined {
	if (unknown.length === 0) return undefined;
	const named = unknown.slice(0, MAX_NAMED).map(describe);
	const more = unknown.length > MAX_NAMED ? `, and ${unknown.length - MAX_NAMED} more` : "";
	return `${place}: ignored, because there are no such settings: ${named.join(", ")}${more}.`;
}

function describe({ name, written, where, holds = [], spell = (known) => known }: UnknownSetting): string {
	const nearest = nearestSetting(snakeCase(name), holds.map(snakeCase));
	const shown = shorten(written, MAX_SHOWN_CHARACTERS);
	const what = where === undefined ? shown : `${where} ${JSON.stringify(shown)}`;
	return nearest === undefined ? what : `${what} (the nearest is ${spell(nearest)})`;
}

/** The setting, or section, that was probably meant: of the same last word, else spelt much alike, else what stands in an unknown section. */
function nearestSetting(name: string, holds: readonly string[]): string | undefined {
	const known = [...SETTINGS.keys()];
	const named = (last: string): string | undefined => known.find((one) => lastOf(one) === last);
	const besides = [...known, ...SECTION_NAMES].filter((one) => depthOf(one) === depthOf(name));
	const alike = nearestNames(name, besides, 1)[0] ?? nearestNames(name, known, 1)[0];
	return named(lastOf(name)) ?? alike ?? holds.map(named).find((setting) => setting !== undefined);
}

const lastOf = (name: string): string => name.split(".").at(-1) ?? "";

const depthOf = (name: string): number => name.split(".").length;
