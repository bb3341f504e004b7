import type { JSONSchema7 } from "@ai-sdk/provider";
import type { ToolArguments } from "./tool.js";

/** How a tool's arguments are described to the model and checked. */
export interface ToolParameters {
	readonly schema: JSONSchema7;
	readonly validate: (input: unknown) => ToolArguments | Promise<ToolArguments>;
}
