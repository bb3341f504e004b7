import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { jsonSchemaParameters } from "./json-schema-parameters.js";
import { isStandardSchema, standardSchemaParameters } from "./standard-schema-parameters.js";
import type { SchemaUse, ToolParameters } from "./tool-parameters.js";

/**
 * Parameters, or the form of an answer, from a schema of any kind. Throws ConfigurationError for what is none.
 */
export function parametersOf(use: SchemaUse, schema: unknown): ToolParameters {
	if (isStandardSchema(schema)) return standardSchemaParameters(use, schema);
	if (typeof schema === "object" && schema !== null) return jsonSchemaParameters(use, schema);
	throw new ConfigurationError(
		`${use.what}: the ${use.noun} must be a Standard Schema (zod, valibot, arktype) or a JSON Schema object, got ${describeValue(schema)}.`,
	);
}
