import type { JSONSchema7 } from "@ai-sdk/provider";
import type { Memory } from "../memory/memory.js";
import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import type { OpenRun } from "../stream/open-run.js";
import type { ToolOutcome } from "./tool-outcome.js";

/** What a tool's `execute` is told besides its arguments. */
export interface ToolContext {
	/** Aborted when the run ends early. */
	readonly signal?: AbortSignal;
	/** The call: what is told of it to the log names it so. Absent where the tool is called without a run. */
	readonly toolCallId?: string;
	/** The robot whose run called the tool. Absent where the tool is called without one. */
	readonly robotName?: string;
	/** The memory of that run; what is set through it is written by that robot. Absent where the tool is called without one. */
	readonly memory?: Memory;
	/** The run that called the tool: to publish to its log, or to begin a run beneath it. Absent where the tool is called without one. */
	readonly run?: OpenRun;
	/** Tells of output while the tool still runs. */
	readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
	/** Tells of steps in a script's life. */
	readonly onLifecycle?: (reason: LifecycleReason, detail?: object) => void;
}

/** The outcome of checking a model's arguments. A failure is a value: its message goes to the model. */
export type ToolArguments = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** Something a model may call. Immutable. Made by `createTool` or `ScriptTool.fromPath`. */
export interface Tool {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of the arguments, as the model sees it. Always of type `object`. */
	readonly parameters: JSONSchema7;
	/** How long a call may take, in milliseconds: then its signal is aborted, and a second later it is left behind. Default: as long as the run. */
	readonly timeoutMs?: number;
	/** Whether what `execute` throws ends the run, which rejects with that very error. Default: it is text for the model. */
	readonly raiseOnError?: boolean;
	/** Whether the provider is asked to hold the model to the schema, where it can. Default: as the provider does it. */
	readonly strict?: boolean;
	/** How many bytes of what `execute` gives the model reads at most. Default 262,144. */
	readonly maxResultBytes?: number;
	/** Checks and converts what the model sent. Never throws. */
	validate(input: unknown): ToolArguments | Promise<ToolArguments>;
	/** Runs the tool on checked arguments. A string goes to the model as it is, anything else as JSON. May throw; the run loop turns it into text. */
	execute(input: unknown, context: ToolContext): Promise<unknown>;
	/**
	 * The same with everything there is to say about the outcome; a run loop calls it instead of `execute` where it is there. Tools
	 * made of scripts have it: they do not throw when the script fails, and their text alone cannot be told from a script's output. How long
	 * that text is, is its own care, and `raiseOnError` means nothing to it.
	 */
	call?(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}
