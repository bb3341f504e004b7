import type { ScriptOutcome } from "../stream/script-outcome.js";

/** What a call came to. */
export interface ToolOutcome {
	/** What the model gets to read. */
	readonly text: string;
	/** Whether the call failed; the provider is told so. */
	readonly isError: boolean;
	/** How the script ended, where the tool is one and it got as far as being run or refused. */
	readonly script?: ScriptOutcome;
}
