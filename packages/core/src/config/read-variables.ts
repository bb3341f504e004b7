import { ConfigurationError } from "../errors/configuration-error.js";
import { type Check, flawText, keptOf } from "./check.js";
import type { WrittenSetting } from "./config-origin.js";
import type { Variables } from "./environment-name.js";
import { SECTION_NAMES, SETTINGS } from "./settings.js";
import type { UnknownSetting } from "./unknown-settings.js";

const PREFIX = "ROBOT_LAB_";

/** Ours, and no settings: which environment it is, and by what the processes of a script's run are found. */
const NO_SETTINGS: ReadonlySet<string> = new Set(["ROBOT_LAB_ENV", "ROBOT_LAB_RUN_ID"]);

const FLAGS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

export interface VariableSettings {
	readonly settings: readonly WrittenSetting[];
	readonly unknown: readonly UnknownSetting[];
}

/** How the environment spells a setting: `sandbox.fs_read` is `ROBOT_LAB_SANDBOX__FS_READ`. */
export const variableOf = (name: string): string => `${PREFIX}${name.replaceAll(".", "__").toUpperCase()}`;

/**
 * The settings that are in the environment. A variable that is empty sets nothing. A list is written with commas, or as JSON: `[]` is an
 * empty one; MCP servers are JSON. Throws a ConfigurationError for a value that its setting does not take.
 */
export function readVariables(variables: Variables): VariableSettings {
	const settings: WrittenSetting[] = [];
	const unknown: UnknownSetting[] = [];
	for (const [variable, text] of Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1))) {
		if (!variable.startsWith(PREFIX) || NO_SETTINGS.has(variable) || !text) continue;
		const name = variable.slice(PREFIX.length).replaceAll("__", ".").toLowerCase();
		const setting = variableOf(name) === variable ? SETTINGS.get(name) : undefined;
		if (setting !== undefined) {
			settings.push({ name, value: readingOf(text, setting.check, `${variable}: ${name}`), origin: { layer: "variable", variable } });
		} else if (SECTION_NAMES.has(name)) throw isSection(variable, name);
		else unknown.push({ name, written: variable, spell: variableOf });
	}
	return { settings, unknown };
}

/** The reading of `text` that the setting takes. */
function readingOf(text: string, check: Check, what: string): unknown {
	const readings = [FLAGS[text.toLowerCase()], numberIn(text), recordIn(text), listIn(text), text].filter(
		(reading) => reading !== undefined,
	);
	const value = readings.find((reading) => check(reading) === undefined);
	if (value !== undefined) return keptOf(value, check);
	// Where a list is taken, which of its entries is wrong says more than that a text is no list.
	const wrong = readings.find((reading) => typeof check(reading) === "object") ?? text;
	throw new ConfigurationError(`${flawText(what, wrong, check)}. Correct the variable or unset it.`);
}

const numberIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

function recordIn(text: string): unknown {
	return text.trimStart().startsWith("{") ? jsonIn(text) : undefined;
}

function listIn(text: string): readonly unknown[] {
	// Where it is no JSON, it is a path that begins so.
	const list = text.trimStart().startsWith("[") ? jsonIn(text) : undefined;
	return (list as readonly unknown[] | undefined) ?? text.split(",").map((entry) => entry.trim());
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isSection(variable: string, name: string): ConfigurationError {
	const settings = [...SETTINGS.keys()].filter((one) => one.startsWith(`${name}.`)).map(variableOf);
	return new ConfigurationError(`${variable} sets nothing: ${name} is a section. Set one of ${settings.join(", ")}.`);
}
