import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { jsonSchemaParameters } from "./json-schema-parameters.js";
import { isStandardSchema, standardSchemaParameters } from "./standard-schema-parameters.js";
import type { ToolParameters } from "./tool-parameters.js";

/**
 * Parameters from a schema of any kind. Throws ConfigurationError for what is none.
 *
 * @param what Begins the message about a schema that cannot be used: `Cannot create the tool "add"`.
 */
export function parametersOf(what: string, parameters: unknown): ToolParameters {
	if (isStandardSchema(parameters)) return standardSchemaParameters(what, parameters);
	if (typeof parameters === "object" && parameters !== null) return jsonSchemaParameters(what, parameters);
	throw new ConfigurationError(
		`${what}: parameters must be a Standard Schema (zod, valibot, arktype) or a JSON Schema object, got ${describeValue(parameters)}.`,
	);
}
