import type { ScriptOutcome } from "../stream/script-outcome.js";
import { isRecord } from "../text/describe-value.js";
import { frozenCopy } from "../value/frozen-copy.js";

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

/**
 * The outcome that a value is, read once and frozen, but for the very error that was raised; `undefined`: it is none, for it has no text. Whoever
 * made it may not be typed: of the rest what is no such thing is left out.
 */
export function outcomeIn(value: unknown): ToolOutcome | undefined {
	const { text, isError, timedOut, raised, script: given } = (value ?? {}) as { readonly [Key in keyof ToolOutcome]?: unknown };
	if (typeof text !== "string") return undefined;
	const script = frozenCopy(given);
	return Object.freeze({
		text,
		isError: isError === true,
		...(timedOut === true && { timedOut }),
		...(isRecord(raised) && "error" in raised && { raised: Object.freeze({ error: raised.error }) }),
		...(isScript(script) && { script }),
	});
}

const isScript = (script: unknown): script is ScriptOutcome =>
	isRecord(script) && (script.refusal === undefined || isRecord(script.refusal));
