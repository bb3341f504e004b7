import type { JSONSchema7 } from "@ai-sdk/provider";
import type { ToolArguments } from "./tool.js";

/** How a tool's arguments are described to the model and checked. */
export interface ToolParameters {
	readonly schema: JSONSchema7;
	readonly validate: (input: unknown) => ToolArguments | Promise<ToolArguments>;
}

/** What a schema is for, as messages about one that cannot be used say it. */
export interface SchemaUse {
	/** Begins the message: `Cannot create the tool "add"`. */
	readonly what: string;
	/** What the schema is there. */
	readonly noun: "parameters" | "schema";
}

/** How many problems with its arguments the model is told about at once. */
export const MAX_ISSUES = 10;
