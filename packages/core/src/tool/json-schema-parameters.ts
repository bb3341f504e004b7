import type { JSONSchema7 } from "@ai-sdk/provider";
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkJsonSchema } from "./check-json-schema.js";
import type { ToolArguments } from "./tool.js";
import type { ToolParameters } from "./tool-parameters.js";

/** How many problems with its arguments the model is told about at once. */
const MAX_ISSUES = 10;

/** Parameters from plain JSON Schema (draft 7). The schema is copied and checked here, so that a mistake in it shows when the tool is made. */
export function jsonSchemaParameters(tool: string, parameters: object): ToolParameters {
	const schema = copy(tool, parameters);
	const problem = checkJsonSchema(schema);
	if (problem !== undefined) throw new ConfigurationError(`Cannot create the tool "${tool}": ${problem}`);
	const check = checker(tool, schema);
	return { schema, validate: (input) => check(input) };
}

function copy(tool: string, parameters: object): JSONSchema7 {
	try {
		const schema = JSON.parse(JSON.stringify(parameters)) as JSONSchema7;
		return schema.type === undefined && schema.properties !== undefined ? { ...schema, type: "object" } : schema;
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
		throw new ConfigurationError(`Cannot create the tool "${tool}": its parameters are no JSON (${reason}).`, { cause });
	}
}

/** Valid arguments, nearly all there are, are found valid at the first sight of it; only for others every problem is looked for. */
function checker(tool: string, schema: JSONSchema7): (input: unknown) => ToolArguments {
	const quick = makeValidator(tool, schema, true);
	const thorough = makeValidator(tool, schema, false);
	const prepare = namesInherited(schema) ? withoutPrototypes : (input: unknown) => input;
	return (input) => {
		try {
			const prepared = prepare(input);
			if (quick.validate(prepared).valid) return { ok: true, value: input };
			return { ok: false, message: describe(thorough.validate(prepared).errors) };
		} catch {
			// a schema that refers to itself without end, or arguments nested deeper than the stack
			return { ok: false, message: "the arguments are nested too deeply to be checked" };
		}
	};
}

function makeValidator(tool: string, schema: JSONSchema7, shortCircuit: boolean): Validator {
	try {
		// a copy: the validator writes marks of its own into what it is given
		return new Validator(structuredClone(schema) as Schema, "7", shortCircuit);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new ConfigurationError(`Cannot create the tool "${tool}": its parameters are no valid JSON Schema (${reason}).`, { cause });
	}
}

/** Whether a schema speaks of a property that every object inherits, like `constructor`. */
function namesInherited(schema: JSONSchema7): boolean {
	const text = JSON.stringify(schema);
	return Object.getOwnPropertyNames(Object.prototype).some((name) => text.includes(`"${name}"`));
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
	const inner = errors.filter(
		(error) => !errors.some((other) => other !== error && other.instanceLocation.startsWith(`${error.instanceLocation}/`)),
	);
	const lines = inner.map((error) => {
		const path = error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
		return path ? `${path}: ${error.error}` : error.error;
	});
	return [...new Set(lines)].slice(0, MAX_ISSUES).join("; ");
}
