import type { OpenRun } from "../stream/open-run.js";
import type { ToolContext } from "./tool.js";

/** What a call is made with: what the tool is told, and what is needed for telling it of an end of its own. */
export interface CallContext extends ToolContext {
	/** `run` with another signal, so that what a tool begins beneath it ends with the call. */
	readonly runWithin?: (signal: AbortSignal) => OpenRun;
}

/** What a tool with a deadline of its own is told. */
export function contextWithin({ runWithin, ...context }: CallContext, signal: AbortSignal | undefined): ToolContext {
	if (signal === undefined || signal === context.signal) return context;
	return { ...context, signal, ...(runWithin && { run: runWithin(signal) }) };
}
