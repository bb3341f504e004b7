import type { ScriptOutcome } from "../stream/script-outcome.js";

/** What a call came to. */
export interface ToolOutcome {
	/** What the model gets to read. */
	readonly text: string;
	/** Whether the call failed; the provider is told so. */
	readonly isError: boolean;
	/** Whether the tool failed because its `timeoutMs` had passed. */
	readonly timedOut?: boolean;
	/** What a tool with `raiseOnError` threw, or what its signal was aborted with when its time was up. A robot's run rejects with it. */
	readonly raised?: { readonly error: unknown };
	/** How the script ended, where the tool is one and it got as far as being run or refused. */
	readonly script?: ScriptOutcome;
}
