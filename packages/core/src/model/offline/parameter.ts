import type { JSONSchema7, JSONSchema7Definition } from "@ai-sdk/provider";
import { stemOf, wordsOf } from "../../text/words.js";

export type ParameterType = "string" | "number" | "integer" | "boolean" | "array" | "object";

/** One argument of a tool, as far as the offline model understands it. */
export interface Parameter {
	readonly name: string;
	readonly type: ParameterType;
	readonly required: boolean;
	readonly schema: JSONSchema7;
	/** Type of the items of an array. */
	readonly items: ParameterType;
	readonly choices: readonly unknown[];
	/** The schema's pattern; absent where it is none that compiles. */
	readonly pattern: RegExp | undefined;
	/** The schema's format, or that of its items. */
	readonly format: string | undefined;
	readonly nameStems: readonly string[];
	readonly descriptionStems: readonly string[];
}

/** A tool's arguments in the order of its schema. */
export function parametersOf(schema: JSONSchema7): Parameter[] {
	const required = new Set(schema.required ?? []);
	return Object.entries(schema.properties ?? {}).map(([name, definition]) => parameterOf(name, definition, required.has(name), schema));
}

function parameterOf(name: string, definition: JSONSchema7Definition, required: boolean, root: JSONSchema7): Parameter {
	const schema = plainSchema(definition, root);
	const type = typeOf(schema);
	const item = typeof schema.items === "object" && !Array.isArray(schema.items) ? plainSchema(schema.items, root) : {};
	const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
	const description = (typeof definition === "object" ? definition.description : undefined) ?? schema.description ?? "";
	return {
		name,
		type,
		required,
		schema,
		items: typeOf(item),
		choices,
		pattern: compiled(schema.pattern),
		format: schema.format ?? item.format,
		nameStems: wordsOf(name).map(stemOf),
		descriptionStems: wordsOf(description).map(stemOf),
	};
}

/** Follows a reference and takes the first alternative that is not null; an alternative that is an array wins, it takes the most. */
function plainSchema(definition: JSONSchema7Definition, root: JSONSchema7, depth = 0): JSONSchema7 {
	if (typeof definition === "boolean" || depth > 5) return {};
	const name = definition.$ref?.match(/^#\/(definitions|\$defs)\/([^/]+)$/);
	if (name) return plainSchema(root[name[1] as "definitions"]?.[name[2] ?? ""] ?? {}, root, depth + 1);
	const alternatives = (definition.anyOf ?? definition.oneOf ?? []).map((each) => plainSchema(each, root, depth + 1));
	return alternatives.find((each) => each.type === "array") ?? alternatives.find((each) => each.type !== "null") ?? definition;
}

function typeOf(schema: JSONSchema7): ParameterType {
	const types = [schema.type ?? []].flat();
	if (types.includes("array")) return "array";
	const type = types.find((each) => each !== "null");
	if (type !== undefined) return type;
	return schema.properties === undefined ? "string" : "object";
}

function compiled(pattern: string | undefined): RegExp | undefined {
	try {
		return pattern === undefined ? undefined : new RegExp(pattern, "u");
	} catch {
		return undefined;
	}
}
