import type { EventLog } from "../stream/event-log.js";
import { type RunEnding, RunPublisher } from "../stream/run-publisher.js";
import { failureOf, publishCall } from "./publish-call.js";
import type { ToolContext } from "./tool.js";
import type { ToolOutcome } from "./tool-outcome.js";

/** A call that is a run of its own. */
export interface CallRun {
	readonly scope: "tool" | "script";
	readonly name: string;
	/** Default: aborted by nobody. */
	readonly signal?: AbortSignal | undefined;
	/** Makes the call. Must not throw: what went wrong is an outcome. */
	readonly make: (context: ToolContext) => Promise<ToolOutcome>;
}

/** Makes one call as a root run, told to a log that is empty. */
export async function runCall(log: EventLog, { scope, name, signal, make }: CallRun): Promise<ToolOutcome> {
	const run = RunPublisher.root(log, { scope, name });
	const { outcome } = await publishCall(run, { toolCallId: run.runId, toolName: name }, make, signal);
	run.end(endingOf(outcome, signal));
	return outcome;
}

function endingOf(outcome: ToolOutcome, signal: AbortSignal | undefined): RunEnding {
	if (!outcome.isError) return { event: "run.completed" };
	if (outcome.timedOut || outcome.script?.timedOut) return { event: "run.interrupted", reason: "timeout" };
	if (outcome.script?.aborted || signal?.aborted) return { event: "run.interrupted", reason: "user_cancellation" };
	return { event: "run.failed", error: failureOf(outcome), recoverable: false };
}
