import type { JSONSchema7 } from "@ai-sdk/provider";
import { type OutputUnit, type Schema, type ValidationResult, Validator } from "@cfworker/json-schema";
import { ConfigurationError } from "../errors/configuration-error.js";
import { messageOf } from "../text/message-of.js";
import { checkJsonSchema } from "./check-json-schema.js";
import { isOutOfTime, TimeBound } from "./time-bound.js";
import type { ToolArguments } from "./tool.js";
import { MAX_ISSUES, type SchemaUse, type ToolParameters } from "./tool-parameters.js";

/** Keywords whose check can take longer than in proportion to the arguments: expressions, comparisons of all with all, choices within choices. */
const SLOW_KEYWORDS = ["pattern", "patternProperties", "format", "uniqueItems", "$ref"];

/**
 * Parameters from plain JSON Schema (draft 7). The schema is copied and checked here, so that a mistake in it shows when the tool is made.
 * However long a model's texts are and whatever the schema's patterns, a check ends: arguments that take too long are refused.
 */
export function jsonSchemaParameters(use: SchemaUse, parameters: object): ToolParameters {
	const schema = copy(use, parameters);
	const problem = checkJsonSchema(schema, use.noun);
	if (problem !== undefined) throw new ConfigurationError(`${use.what}: ${problem}`);
	const check = checker(use, schema);
	return { schema, validate: (input) => check(input) };
}

function copy({ what, noun }: SchemaUse, parameters: object): JSONSchema7 {
	try {
		const schema = JSON.parse(JSON.stringify(parameters)) as JSONSchema7;
		return schema.type === undefined && schema.properties !== undefined ? { ...schema, type: "object" } : schema;
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
		throw new ConfigurationError(`${what}: there is no JSON of the ${noun} (${reason}).`, { cause });
	}
}

/**
 * Valid arguments, nearly all there are, are found valid at the first sight of it; only for others every problem is looked for. That has an end,
 * too: a long list may have a problem at each of its entries.
 */
function checker(use: SchemaUse, schema: JSONSchema7): (input: unknown) => ToolArguments {
	const quick = makeValidator(use, schema, true);
	const thorough = makeValidator(use, schema, false);
	const prepare = names(schema, INHERITED) ? withoutPrototypes : (input: unknown) => input;
	const bound = new TimeBound();
	const atOnce = (work: () => ValidationResult): ValidationResult => work();
	const first = names(schema, SLOW_KEYWORDS) ? (work: () => ValidationResult) => bound.run(work) : atOnce;
	return (input) => {
		try {
			const prepared = prepare(input);
			const { valid, errors } = first(() => quick.validate(prepared));
			if (valid) return { ok: true, value: input };
			return { ok: false, message: describe(allProblems(() => bound.run(() => thorough.validate(prepared).errors)) ?? errors) };
		} catch (error) {
			return { ok: false, message: uncheckable(error) };
		}
	};
}

/** `undefined`: to find them takes too long. */
function allProblems(find: () => readonly OutputUnit[]): readonly OutputUnit[] | undefined {
	try {
		return find();
	} catch (error) {
		if (isOutOfTime(error)) return undefined;
		throw error;
	}
}

function uncheckable(error: unknown): string {
	if (isOutOfTime(error)) return "checking the arguments took too long: send shorter texts and lists";
	// a schema that refers to itself without end, or arguments nested deeper than the stack
	if (error instanceof RangeError) return "the arguments are nested too deeply to be checked";
	// what hooks set and runTool() is given need not be JSON
	return `the arguments hold something that JSON does not have (${messageOf(error)})`;
}

function makeValidator({ what, noun }: SchemaUse, schema: JSONSchema7, shortCircuit: boolean): Validator {
	try {
		// a copy: the validator writes marks of its own into what it is given
		return new Validator(structuredClone(schema) as Schema, "7", shortCircuit);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new ConfigurationError(`${what}: the ${noun} cannot be used as JSON Schema (${reason}).`, { cause });
	}
}

/** Properties that every object inherits, like `constructor`. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** Whether one of the words stands in a schema: as a keyword, the name of a property or a value. */
function names(schema: JSONSchema7, words: readonly string[]): boolean {
	const text = JSON.stringify(schema);
	return words.some((word) => text.includes(`"${word}"`));
}

/** The validator asks `key in object`, which every object answers with yes for `constructor` and the like. */
function withoutPrototypes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutPrototypes);
	if (typeof value !== "object" || value === null) return value;
	const bare: Record<string, unknown> = Object.create(null);
	for (const [key, entry] of Object.entries(value)) bare[key] = withoutPrototypes(entry);
	return bare;
}

/** The innermost problems: the outer ones only say that something within does not match. */
function describe(errors: readonly OutputUnit[]): string {
	const outer = new Set(errors.flatMap(({ instanceLocation }) => placesAround(instanceLocation)));
	const lines = new Set<string>();
	for (const { instanceLocation, error } of errors) {
		if (outer.has(instanceLocation)) continue;
		const path = instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
		lines.add(path ? `${path}: ${error}` : error);
		if (lines.size === MAX_ISSUES) break;
	}
	return [...lines].join("; ");
}

/** `"#/a/0"` lies in `"#/a"` and `"#"`. */
function placesAround(place: string): readonly string[] {
	const places: string[] = [];
	for (let end = place.lastIndexOf("/"); end > 0; end = place.lastIndexOf("/", end - 1)) places.push(place.slice(0, end));
	return places;
}
