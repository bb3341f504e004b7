import type { RunPublisher } from "./run-publisher.js";

/** A run that goes on, for what happens inside it: a tool publishes to its log, or begins a run beneath it. */
export type OpenRun = Pick<RunPublisher, "runId" | "publish" | "part" | "begin">;

/** The same for one call: the runs it begins say which call began them. */
export function withinCall(run: RunPublisher, toolCallId: string): OpenRun {
	return {
		runId: run.runId,
		publish: (event, data) => run.publish(event, data),
		part: (facts) => run.part(facts),
		begin: (beneath, onBegin) => run.begin({ parentToolCallId: toolCallId, ...beneath }, onBegin),
	};
}
