import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { EventLog } from "../stream/event-log.js";
import { runCall } from "./call-run.js";
import { callTool } from "./call-tool.js";
import type { Tool } from "./tool.js";
import type { ToolOutcome } from "./tool-outcome.js";

export interface RunToolOptions {
	/** Is told of the call as of a root run, with its output and, for a script, each step of its life. Must be empty. Default: nobody is told. */
	readonly log?: EventLog | undefined;
	/** Aborting it ends the call; a tool that does not heed it is left behind after a second. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a tool as a robot does, without a robot: its arguments are checked, and whatever goes wrong is text with `isError` set, and
 * what a tool with `raiseOnError` threw is in `raised`. Rejects with ConfigurationError for an unknown option, and a log that has events already.
 */
export async function runTool(tool: Tool, input: unknown = {}, options: RunToolOptions = {}): Promise<ToolOutcome> {
	checkNames("runTool()", options, ["log", "signal"]);
	const { log = new EventLog({ history: 0 }), signal } = options;
	checkEmpty(log);
	const request = { name: tool.name, args: { ok: true, value: input } as const };
	const make = (context: Parameters<typeof callTool>[2]): Promise<ToolOutcome> => callTool(request, new Map([[tool.name, tool]]), context);
	return runCall(log, { scope: "tool", name: tool.name, signal, make });
}

/** A log holds one root run: a second one's numbers would be taken for repetitions. */
export function checkEmpty(log: EventLog): void {
	if (log.lastSequenceNumber === 0) return;
	throw new ConfigurationError("The log has events already, and a log holds one root run. Give each run a log of its own: new EventLog().");
}
