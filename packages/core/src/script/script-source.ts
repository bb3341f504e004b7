import type { Capabilities } from "../capability/capabilities.js";
import type { Tool } from "../tool/tool.js";
import type { ScriptParameters } from "./script-parameters.js";

/** The script that a tool was made of. */
export interface ScriptSource {
	/** Absolute. */
	readonly path: string;
	/** The bundle's directory, absolute. */
	readonly skillDir: string;
	/** What the bundle declared. */
	readonly capabilities: Capabilities;
	/** What the script declares to take. Absent: plain `args`. */
	readonly parameters?: ScriptParameters;
}

/** On the tool itself, where it stays when the tool is copied under another name, also by another copy of this package. */
const KEY: unique symbol = Symbol.for("@robot-lab/core/script-source/v1") as never;

/** What a tool is given for {@link scriptSourceOf} to find. */
export const withSource = (source: ScriptSource): object => ({ [KEY]: Object.freeze(source) });

/** The script that a tool was made of, `undefined` for a tool of another kind. */
export const scriptSourceOf = (tool: Tool): ScriptSource | undefined => (tool as { readonly [KEY]?: ScriptSource } | undefined)?.[KEY];
