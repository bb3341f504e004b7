import { describeValue, isList } from "../text/describe-value.js";
import { wellFormed } from "../text/well-formed.js";
import type { ScriptParameter } from "./script-parameters.js";

/** A value that a parameter takes, or why it takes it not: the end of a sentence that begins with the parameter's name. */
export type ParameterValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

type One = string | number | boolean;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const MAX_CHOICES_SHOWN = 20;

/** Whether a value has to do with a parameter, and as what: numbers and booleans may come as text, the other way about, and one value for a list. */
export function readParameterValue(parameter: ScriptParameter, given: unknown): ParameterValue {
	if (!parameter.multiple) return readOne(parameter, given);
	const values: unknown[] = [];
	for (const [index, entry] of (isList(given) ? given : [given]).entries()) {
		const read = readOne(parameter, entry);
		if (!read.ok) return isList(given) ? { ok: false, reason: `${read.reason} (entry ${index})` } : read;
		values.push(read.value);
	}
	if (values.length === 0 && parameter.required) return { ok: false, reason: `must be ${takes(parameter)}, not an empty list` };
	return { ok: true, value: values };
}

function readOne(parameter: ScriptParameter, given: unknown): ParameterValue {
	const value = converted(parameter, given);
	if (value === undefined || !fits(parameter, value)) {
		const why = parameter.type === "integer" && isInexact(given) ? ", which is too large to be exact" : "";
		return { ok: false, reason: `must be ${takes(parameter)}, not ${describeValue(given)}${why}` };
	}
	if (typeof value === "string" && value.includes("\0"))
		return { ok: false, reason: "holds a NUL character, which no program can be given" };
	return { ok: true, value };
}

/** Whether it is a whole number of which digits were lost when it was read, or would be. */
function isInexact(given: unknown): boolean {
	const value = typeof given === "string" && NUMBER.test(given.trim()) ? Number(given) : given;
	return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** `undefined` for what is of another type and cannot be meant as this one. */
export function converted({ type }: Pick<ScriptParameter, "type">, given: unknown): One | undefined {
	if (type === "string") return asText(given);
	if (type === "boolean") return asBoolean(given);
	const value = typeof given === "string" && NUMBER.test(given.trim()) ? Number(given) : given;
	if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
	return type === "number" || Number.isSafeInteger(value) ? value : undefined;
}

function asText(given: unknown): string | undefined {
	if (typeof given === "string") return wellFormed(given);
	return typeof given === "boolean" || (typeof given === "number" && Number.isFinite(given)) ? String(given) : undefined;
}

function asBoolean(given: unknown): boolean | undefined {
	if (typeof given === "boolean") return given;
	const word = typeof given === "string" ? given.trim().toLowerCase() : undefined;
	return word === "true" ? true : word === "false" ? false : undefined;
}

/** Whether a value of the right type is within the choices and the range. */
export function fits({ choices, minimum, maximum }: ScriptParameter, value: One): boolean {
	if (choices !== undefined && !choices.includes(value as string | number)) return false;
	return typeof value !== "number" || (value >= (minimum ?? value) && value <= (maximum ?? value));
}

/** What a parameter takes, to be put behind "must be". */
export function takes(parameter: ScriptParameter): string {
	const one = takesOne(parameter);
	return parameter.multiple ? `a list, each entry ${one}` : one;
}

function takesOne({ type, choices, minimum, maximum }: ScriptParameter): string {
	if (choices !== undefined) {
		const more = choices.length > MAX_CHOICES_SHOWN ? ` or one of ${choices.length - MAX_CHOICES_SHOWN} more` : "";
		return `one of ${choices.slice(0, MAX_CHOICES_SHOWN).map(describeValue).join(", ")}${more}`;
	}
	if (type === "string") return "a text";
	if (type === "boolean") return "true or false";
	const noun = type === "integer" ? "a whole number" : "a number";
	if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
	if (minimum !== undefined) return `${noun} of ${minimum} or more`;
	return maximum === undefined ? noun : `${noun} of ${maximum} or less`;
}
