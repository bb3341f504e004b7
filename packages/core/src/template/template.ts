import type { TemplateBody } from "./compile-body.js";

/** What a template says about the model and its answers; absent where it says nothing. The names are those of robot options. */
export interface TemplateSettings {
	readonly model?: string;
	readonly temperature?: number;
	readonly topP?: number;
	readonly topK?: number;
	readonly maxTokens?: number;
	readonly presencePenalty?: number;
	readonly frequencyPenalty?: number;
	readonly stop?: readonly string[];
	readonly seed?: number;
}

/** A template that was read and found right. */
export interface Template {
	/** Its file's path below the template directory, with `/` and without `.md`. */
	readonly id: string;
	readonly description?: string;
	/** The values it takes, each with its default; `null` where it must be given. */
	readonly parameters: ReadonlyMap<string, unknown>;
	/** The template skills and Agent Skills that come before it, in order. */
	readonly skills: readonly string[];
	readonly settings: TemplateSettings;
	readonly body: TemplateBody;
}

/** Values for a template's parameters. `undefined` and `null` count as not given. */
export type TemplateContext = Readonly<Record<string, unknown>>;
