import { describeValue, isRecord } from "../text/describe-value.js";
import { nearestNames } from "../text/nearest-names.js";
import { readParameterValue, takes } from "./parameter-value.js";
import { comparableName } from "./parse-parameters.js";
import type { ScriptParameter, ScriptParameters } from "./script-parameters.js";

/** Checked values by the names of parameters, of those that were given; or all that is wrong, as a line for the model. */
export type ReadParameters =
	| { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
	| { readonly ok: false; readonly message: string };

/** How many problems with its arguments the model is told about at once, and how many names. */
const MAX_PROBLEMS = 10;
const MAX_NAMES = 20;

/**
 * What a model sent for the parameters of a script, or what this function made of it. `null` is nothing; numbers and booleans may come as text, one
 * value for a list, and names in another spelling (`dry_run`, `--dry-run`).
 */
export function readParameters({ parameters, input: by }: ScriptParameters, input: unknown): ReadParameters {
	if (input !== undefined && input !== null && !isRecord(input)) {
		return { ok: false, message: `the arguments must be an object of named values, not ${describeValue(input)}` };
	}
	const problems: string[] = [];
	const given = sortOut(parameters, input ?? {}, problems);
	const entries: [string, unknown][] = [];
	for (const parameter of parameters) {
		const value = given.get(parameter.name);
		if (value === undefined) {
			if (parameter.required) problems.push(`${parameter.name} is missing; it must be ${takes(parameter)}`);
			continue;
		}
		const read = readParameterValue(parameter, value);
		if (read.ok) entries.push([parameter.name, read.value]);
		else problems.push(`${parameter.name} ${read.reason}`);
	}
	if (problems.length === 0 && by === "options") problems.push(...gaps(parameters, given));
	if (problems.length > 0) return { ok: false, message: problems.slice(0, MAX_PROBLEMS).join("; ") };
	return { ok: true, value: Object.fromEntries(entries) };
}

/** What was given, by the names that were declared. */
function sortOut(
	parameters: readonly ScriptParameter[],
	input: Readonly<Record<string, unknown>>,
	problems: string[],
): Map<string, unknown> {
	const names = new Set(parameters.map(({ name }) => name));
	const bySpelling = new Map(parameters.map(({ name }) => [comparableName(name), name]));
	const given = new Map<string, unknown>();
	const unknown: string[] = [];
	for (const [key, value] of Object.entries(input)) {
		if (value === undefined || value === null) continue;
		const name = names.has(key) ? key : bySpelling.get(comparableName(key));
		if (name === undefined) unknown.push(key);
		else if (given.has(name)) problems.push(`${name} is there twice, also as ${describeValue(key)}`);
		else given.set(name, value);
	}
	if (unknown.length > 0) problems.push(unknownNames(unknown, names));
	return given;
}

function unknownNames(unknown: readonly string[], names: ReadonlySet<string>): string {
	const there = `there is no parameter ${unknown.slice(0, 5).map(describeValue).join(", ")}`;
	if (names.size === 0) return `${there}; the script takes none`;
	const near = unknown.length === 1 ? nearestNames(unknown[0] as string, names) : [];
	const known = near.length > 0 ? near : [...names].slice(0, MAX_NAMES);
	return `${there}; ${near.length > 0 ? "near it" : names.size > MAX_NAMES ? "among those there are" : "those there are"}: ${known.join(", ")}`;
}

/** An argument is known by its place, so what comes before one that is given must be given, or have a default to stand there. */
function gaps(parameters: readonly ScriptParameter[], given: ReadonlyMap<string, unknown>): readonly string[] {
	const places = parameters.filter(({ kind }) => kind === "argument");
	const last = places.findLastIndex(({ name }) => given.has(name));
	const open = places.slice(0, Math.max(0, last)).filter((place) => !given.has(place.name) && place.default === undefined);
	return open.map(({ name }) => `${name} must be given where ${places[last]?.name} is`);
}
