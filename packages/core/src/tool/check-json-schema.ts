import type { JSONSchema7 } from "@ai-sdk/provider";
import { isRecord } from "../text/describe-value.js";
import type { SchemaUse } from "./tool-parameters.js";

type Json = Readonly<Record<string, unknown>>;

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const MAPS_OF_SCHEMAS = ["properties", "patternProperties", "definitions", "$defs"] as const;
const SCHEMAS = ["items", "additionalItems", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"] as const;
const LISTS_OF_SCHEMAS = ["allOf", "anyOf", "oneOf"] as const;

/** What is wrong with a JSON Schema of arguments, or of an answer, as the end of a sentence, or `undefined`. Expects plain JSON (no cycles). */
export function checkJsonSchema(schema: JSONSchema7, noun: SchemaUse["noun"]): string | undefined {
	if (!isRecord(schema) || schema.type !== "object") {
		const got = isRecord(schema) ? JSON.stringify(schema.type) : typeof schema;
		return `the ${noun} must be a JSON Schema of type "object", got ${got}.`;
	}
	return checkNode(schema, noun, schema);
}

function checkNode(node: unknown, path: string, root: Json): string | undefined {
	if (typeof node === "boolean") return undefined;
	if (!isRecord(node)) return `${path} must be a schema (an object or a boolean).`;
	return checkKeywords(node, path, root) ?? checkChildren(node, path, root);
}

function checkKeywords(node: Json, path: string, root: Json): string | undefined {
	const types = node.type === undefined ? [] : [node.type].flat();
	const unknown = types.find((type) => !TYPES.has(type as string));
	if (unknown !== undefined) return `${path}.type is ${JSON.stringify(unknown)}, which is no JSON Schema type.`;
	if (node.required !== undefined && !isStrings(node.required)) return `${path}.required must be an array of property names.`;
	if (node.enum !== undefined && !Array.isArray(node.enum)) return `${path}.enum must be an array.`;
	if (node.pattern !== undefined && !compiles(node.pattern))
		return `${path}.pattern is no regular expression: ${JSON.stringify(node.pattern)}.`;
	if (node.$ref !== undefined && !resolves(node.$ref, root)) {
		return `${path}.$ref must point into the same schema ("#/…"), got ${JSON.stringify(node.$ref)}.`;
	}
	return undefined;
}

function checkChildren(node: Json, path: string, root: Json): string | undefined {
	for (const [child, childPath] of childrenOf(node, path)) {
		const problem = checkNode(child, childPath, root);
		if (problem !== undefined) return problem;
	}
	const badPattern = Object.keys(isRecord(node.patternProperties) ? node.patternProperties : {}).find((pattern) => !compiles(pattern));
	return badPattern === undefined
		? undefined
		: `${path}.patternProperties has ${JSON.stringify(badPattern)}, which is no regular expression.`;
}

function* childrenOf(node: Json, path: string): Iterable<readonly [unknown, string]> {
	for (const key of MAPS_OF_SCHEMAS) {
		if (node[key] === undefined) continue;
		if (!isRecord(node[key])) yield [node[key], `${path}.${key}`];
		else for (const [name, child] of Object.entries(node[key])) yield [child, `${path}.${key}.${name}`];
	}
	for (const key of SCHEMAS) {
		if (Array.isArray(node[key]) && key === "items") yield* node[key].map((child, index) => [child, `${path}.items[${index}]`] as const);
		else if (node[key] !== undefined) yield [node[key], `${path}.${key}`];
	}
	for (const key of LISTS_OF_SCHEMAS) {
		if (node[key] === undefined) continue;
		if (!Array.isArray(node[key])) yield [undefined, `${path}.${key}`];
		else yield* node[key].map((child, index) => [child, `${path}.${key}[${index}]`] as const);
	}
}

function resolves(reference: unknown, root: Json): boolean {
	if (reference === "#") return true;
	if (typeof reference !== "string" || !reference.startsWith("#/")) return false;
	let node: unknown = root;
	for (const segment of reference.slice(2).split("/")) {
		const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return false;
		node = (node as Json)[key];
	}
	return true;
}

function compiles(pattern: unknown): boolean {
	try {
		return typeof pattern === "string" && new RegExp(pattern, "u") instanceof RegExp;
	} catch {
		return false;
	}
}

const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((entry) => typeof entry === "string");
