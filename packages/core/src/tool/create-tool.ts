import type { JSONSchema7 } from "@ai-sdk/provider";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { isProviderSafeName } from "../text/provider-safe-name.js";
import { freezeWhole } from "../value/freeze-whole.js";
import { type ToolOptions, toolOptions } from "./check-tool-options.js";
import { parametersOf } from "./schema-parameters.js";
import type { Tool, ToolContext } from "./tool.js";

/** A tool as it is written down. `Input` is what `execute` gets. */
export interface ToolDefinition<Parameters, Input> extends ToolOptions {
	/** 1 to 64 letters, digits, `_` or `-`: what every provider accepts. */
	readonly name: string;
	/** Tells the model what the tool does and when to call it. */
	readonly description: string;
	/** A Standard Schema that can give its JSON Schema (zod 4, arktype, valibot through `toStandardJsonSchema`), or plain JSON Schema of type `object`. */
	readonly parameters: Parameters;
	/**
	 * Gets checked arguments. A string goes to the model as it is, `undefined` as an empty text, anything else as JSON. What it throws goes to
	 * the model as text: the message only.
	 */
	readonly execute: (input: Input, context: ToolContext) => unknown;
}

const OPTIONS = ["name", "description", "parameters", "execute", "timeoutMs", "raiseOnError", "strict", "maxResultBytes"] as const;
const NO_PARAMETERS: JSONSchema7 = { type: "object", properties: {}, additionalProperties: false };

/**
 * Makes a tool from a name, a description, parameters and a function. Without `parameters` it takes no arguments.
 *
 * Throws ConfigurationError at once for a name a provider would refuse, a blank description, parameters that are no usable schema, and
 * options that nobody knows or that cannot be used.
 */
export function createTool<Schema extends StandardSchemaV1>(definition: ToolDefinition<Schema, StandardSchemaV1.InferOutput<Schema>>): Tool;
export function createTool<Input = Record<string, unknown>>(
	definition: Omit<ToolDefinition<JSONSchema7, Input>, "parameters"> & { readonly parameters?: JSONSchema7 },
): Tool;
export function createTool(definition: Omit<ToolDefinition<unknown, never>, "parameters"> & { readonly parameters?: unknown }): Tool {
	checkNames("createTool()", definition, OPTIONS);
	const { name, description, parameters = NO_PARAMETERS, execute } = definition;
	checkName(name);
	if (typeof description !== "string" || description.trim() === "") {
		throw new ConfigurationError(`Cannot create the tool "${name}": its description is empty. Say what it does and when to call it.`);
	}
	if (typeof execute !== "function") throw new ConfigurationError(`Cannot create the tool "${name}": execute must be a function.`);
	const options = toolOptions(name, definition);
	const { schema, validate } = parametersOf({ what: `Cannot create the tool "${name}"`, noun: "parameters" }, parameters);
	// JSON of our own: the validator has a copy, and what a model is told must stay what is checked
	freezeWhole(schema);
	const run = execute as (input: unknown, context: ToolContext) => unknown;
	return Object.freeze({
		name,
		description,
		parameters: schema,
		...options,
		validate,
		execute: async (input: unknown, context: ToolContext) => run(input, context),
	});
}

function checkName(name: unknown): asserts name is string {
	if (typeof name === "string" && isProviderSafeName(name)) return;
	const given = describeValue(name);
	throw new ConfigurationError(`Cannot create a tool named ${given}: providers accept 1 to 64 letters, digits, "_" and "-" only.`);
}
