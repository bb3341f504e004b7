import type { JSONSchema7 } from "@ai-sdk/provider";
import { isRecord } from "../text/describe-value.js";
import { checkJsonSchema } from "../tool/check-json-schema.js";
import { jsonSchemaParameters } from "../tool/json-schema-parameters.js";
import type { ToolParameters } from "../tool/tool-parameters.js";
import { boundedText } from "./safe-text.js";
import { weakSchema } from "./weak-schema.js";

type Fields = Readonly<Record<string, unknown>>;

const MAX_SCHEMA_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 24;
const MAX_WORDS = 1_000;
const MAX_PATTERN = 200;
const TEXTS = new Set(["description", "title", "$comment"]);
/** They would make a validator or a provider look elsewhere for what the schema means. */
const NOT_SHOWN = new Set([
	"$schema",
	"$id",
	"$anchor",
	"$dynamicRef",
	"$dynamicAnchor",
	"$recursiveRef",
	"$recursiveAnchor",
	"$vocabulary",
]);
const NOTHING_KNOWN: JSONSchema7 = { type: "object", properties: {} };

/**
 * The parameters of a tool that a stranger described. The model is shown the stranger's schema, as far as it is sound and of a bounded
 * size; arguments are checked by a weaker one that takes no longer than it should. The server checks them anyway.
 */
export function remoteParameters(name: string, inputSchema: unknown): ToolParameters {
	const shown = shownSchema(inputSchema) ?? NOTHING_KNOWN;
	const { validate } = jsonSchemaParameters({ what: `Cannot use the tool "${name}"`, noun: "parameters" }, weakSchema(shown));
	return { schema: shown, validate };
}

function shownSchema(inputSchema: unknown): JSONSchema7 | undefined {
	if (!isRecord(inputSchema) || depthOf(inputSchema, MAX_DEPTH + 1) > MAX_DEPTH) return undefined;
	const copy = shown(inputSchema) as Fields;
	const schema = { ...copy, type: copy.type ?? "object", properties: copy.properties ?? {} } as JSONSchema7;
	if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS || checkJsonSchema(schema, "parameters") !== undefined) return undefined;
	return schema;
}

function shown(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(shown);
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, entry]) => {
			if (NOT_SHOWN.has(key) && typeof entry !== "object") return [];
			if (TEXTS.has(key) && typeof entry === "string") return [[key, boundedText(entry, MAX_WORDS)]];
			if (key === "pattern" && typeof entry === "string" && !isPattern(entry)) return [];
			return [[key, shown(entry)]];
		}),
	);
}

function isPattern(pattern: string): boolean {
	try {
		return pattern.length <= MAX_PATTERN && new RegExp(pattern, "u") instanceof RegExp;
	} catch {
		return false;
	}
}

/** How deep the value is, no deeper than `most`. */
function depthOf(value: unknown, most: number): number {
	if (typeof value !== "object" || value === null || most === 0) return 0;
	let deepest = 0;
	for (const entry of Object.values(value)) deepest = Math.max(deepest, depthOf(entry, most - 1));
	return deepest + 1;
}
