import type { JSONSchema7 } from "@ai-sdk/provider";

/** A tool as a model is told of it. */
export interface OfferedTool {
	readonly name: string;
	readonly description?: string;
	readonly parameters: JSONSchema7;
}
