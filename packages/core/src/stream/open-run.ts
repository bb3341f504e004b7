import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { RunPublisher } from "./run-publisher.js";
import type { PartType } from "./stream-event.js";

/** A run that goes on, for what happens inside it: a tool publishes to its log, or begins a run beneath it. */
export type OpenRun = Pick<RunPublisher, "runId" | "publish" | "part" | "begin">;

/** The same for one call: the runs it begins say which call began them. */
export function withinCall(run: RunPublisher, toolCallId: string): OpenRun {
	return {
		runId: run.runId,
		publish: (event, data) => run.publish(event, data),
		part: (facts) => {
			if (!FOR_TOOLS.has(facts?.type)) throw noPartOfATool(facts?.type);
			return run.part(facts);
		},
		begin: (beneath, onBegin) => run.begin({ parentToolCallId: toolCallId, ...beneath }, onBegin),
	};
}

/** Calls and their output are the run's to tell of: a second output of one call would be taken for its end. */
const FOR_TOOLS: ReadonlySet<PartType> = new Set(["text", "reasoning", "data", "file", "refusal"]);

const noPartOfATool = (type: unknown): ConfigurationError =>
	new ConfigurationError(`A tool cannot begin a part of the type ${describeValue(type)}: it may begin ${[...FOR_TOOLS].join(", ")}.`);
