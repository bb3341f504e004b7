import type { JSONSchema7 } from "@ai-sdk/provider";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { ConfigurationError } from "../errors/configuration-error.js";
import { isList } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { isObject } from "../value/frozen-copy.js";
import type { ToolArguments } from "./tool.js";
import { MAX_ISSUES, type SchemaUse, type ToolParameters } from "./tool-parameters.js";

export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
	// arktype's schemas are functions
	if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
	const standard = (value as { readonly "~standard"?: { readonly validate?: unknown } })["~standard"];
	return typeof standard?.validate === "function";
}

/** Parameters from a Standard Schema: described through its Standard JSON Schema part, checked by the schema itself. */
export function standardSchemaParameters(use: SchemaUse, schema: StandardSchemaV1): ToolParameters {
	const standard = schema["~standard"];
	return {
		schema: describe(use, standard),
		validate: (input) => {
			try {
				const result: unknown = standard.validate(input);
				return isThenable(result) ? Promise.resolve(result).then(toArguments).catch(refusal) : toArguments(result);
			} catch (error) {
				return refusal(error);
			}
		},
	};
}

function describe({ what, noun }: SchemaUse, standard: StandardSchemaV1.Props): JSONSchema7 {
	const { jsonSchema } = standard as Partial<StandardJSONSchemaV1.Props>;
	if (jsonSchema === undefined) {
		throw new ConfigurationError(
			`${what}: the ${standard.vendor} schema cannot describe itself as JSON Schema (no "~standard".jsonSchema). ` +
				"Pass a zod 4.2 or arktype 2.1.28 schema, toStandardJsonSchema(schema) of @valibot/to-json-schema, or plain JSON Schema.",
		);
	}
	const described = withoutReference(convert(what, standard.vendor, jsonSchema));
	if (described.type === "object") return described;
	const got = JSON.stringify(described.type ?? Object.keys(described)[0]) ?? "anything";
	throw new ConfigurationError(
		`${what}: the ${noun} must describe an object, got ${got}. Make it a property of one: providers accept nothing else.`,
	);
}

function convert(what: string, vendor: string, converter: StandardJSONSchemaV1.Converter): JSONSchema7 {
	try {
		const { $schema: _, ...described } = converter.input({ target: "draft-07" });
		return JSON.parse(JSON.stringify(described)) as JSONSchema7;
	} catch (cause) {
		const [reason] = messageOf(cause).split("\n");
		throw new ConfigurationError(
			`${what}: the ${vendor} schema has no JSON Schema (${reason}). ` +
				"Use what JSON has and check the rest yourself, or pass plain JSON Schema.",
			{ cause },
		);
	}
}

/** Schemas that have a name, or refer to themselves, may be described as a reference to one of their own definitions. */
function withoutReference(schema: JSONSchema7): JSONSchema7 {
	const { $ref, ...rest } = schema;
	const [, keyword, name] = /^#\/(definitions|\$defs)\/([^/]+)$/.exec($ref ?? "") ?? [];
	if (keyword === undefined || name === undefined) return schema;
	const definitions = rest[keyword as "definitions" | "$defs"];
	const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
	const definition = definitions !== undefined && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
	return typeof definition === "object" ? { ...rest, ...definition } : schema;
}

/** By shape: libraries and other realms have promises of their own, and one that was taken for an answer would let everything through. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
	return (isObject(value) || typeof value === "function") && "then" in value && typeof value.then === "function";
}

function toArguments(result: unknown): ToolArguments {
	// arktype's issues are the answer themselves, a list that has its own name
	if (!isObject(result)) return { ok: false, message: NO_ANSWER };
	const { value, issues } = result as { readonly value?: unknown; readonly issues?: unknown };
	if (isList(issues)) return { ok: false, message: issues.slice(0, MAX_ISSUES).map(issueText).join("; ") };
	return issues === undefined && "value" in result ? { ok: true, value } : { ok: false, message: NO_ANSWER };
}

const NO_ANSWER = "the schema answered with neither a value nor a list of issues";

function issueText(given: unknown): string {
	const issue = given as StandardSchemaV1.Issue;
	const path = issue.path?.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join(".");
	return path ? `${path}: ${issue.message}` : issue.message;
}

function refusal(error: unknown): ToolArguments {
	return { ok: false, message: messageOf(error) };
}
