import { type Envelope, type Facts, factsIn, nameIn, textIn } from "./event-facts.js";
import { isoTimes } from "./iso-times.js";
import { type KnownRun, KnownRuns } from "./known-runs.js";
import { imageChunk, textChunk } from "./message-chunks.js";
import { shownEnd } from "./output-end.js";
import { outputEvent } from "./output-envelope.js";
import type { AgentError, AgentUsage, OutputEvent, SessionUpdate } from "./output-event.js";
import { planEntries } from "./plan-entries.js";
import { type Projection, projectionOf } from "./projection.js";
import { callEnd, callStart, callUpdate } from "./tool-call-updates.js";
import { usageOf } from "./usage-facts.js";

/** What the events of a log come to as output updates. */
export interface OutputProjection extends Projection<OutputEvent> {}

/**
 * Makes output updates of the events of one log. What a call puts out while it runs is shown as far as its last 16 Ki characters, its
 * result exactly as it is. An event that stands for several deltas is one chunk.
 */
export function outputProjection(): OutputProjection {
	const runs = new KnownRuns();
	const timeOf = isoTimes();
	return projectionOf<OutputEvent>({
		open: (event) => runs.open(event),
		updateOf: (event) => {
			const run = runs.of(event.data);
			const update = updateOf(event, run);
			return update && outputEvent({ update, event, run, timestamp: timeOf(event.timestamp) });
		},
		close: (event) => runs.close(event),
	});
}

function updateOf({ event, data }: Envelope, run: KnownRun | undefined): SessionUpdate | undefined {
	switch (event) {
		case "text.delta":
			return textChunk(run?.userParts.has(textIn(data, "partId") ?? "") ? "user_message_chunk" : "agent_message_chunk", data);
		case "reasoning.delta":
			return textChunk("agent_thought_chunk", data);
		case "tool_call.output.delta":
			return callUpdate(data, "in_progress", shownEnd(run?.outputs.get(textIn(data, "partId") ?? "") ?? ""));
		case "part.created":
			return data.type === "tool-output" ? callUpdate(data, "in_progress") : undefined;
		case "part.completed":
			return completedPart(data);
		case "part.failed":
			return failedPart(data, run);
		case "usage.updated":
			return usage(data);
		case "metadata.updated":
			return data.type === "warning" ? error(textIn(data, "message"), false) : undefined;
		case "step.failed":
			return typeof data.retryInMs === "number" ? error(messageIn(data), false) : undefined;
		case "run.failed":
			return error(messageIn(data) ?? "The run failed, and did not say why.", data.parentRunId === undefined);
		default:
			return undefined;
	}
}

function completedPart(part: Facts): SessionUpdate | undefined {
	switch (part.type) {
		case "tool-call":
			return callStart(part);
		case "tool-output":
			return callEnd(part, "completed", textIn(part, "result") ?? textIn(part, "finalContent"));
		case "file":
			return imageChunk(part);
		case "data": {
			const entries = part.name === "plan" ? planEntries(textIn(part, "finalContent") ?? "") : undefined;
			return entries && { sessionUpdate: "plan", entries };
		}
		default:
			return undefined;
	}
}

function failedPart(part: Facts, run: KnownRun | undefined): SessionUpdate | undefined {
	if (part.type === "tool-output") return callEnd(part, "failed", textIn(part, "result") ?? messageIn(part));
	// a call whose arguments were cut was never shown, so that there is nothing to end
	const isShown = part.type === "tool-call" && run?.shownCalls.has(nameIn(part, "toolCallId") ?? "");
	return isShown ? callEnd(part, "failed", messageIn(part)) : undefined;
}

function usage(data: Facts): AgentUsage | undefined {
	const { usageScope: scope } = data;
	const facts = factsIn(data, "usage");
	if (facts === undefined || (scope !== "call" && scope !== "run")) return undefined;
	return { sessionUpdate: "usage", scope, usage: usageOf(facts) };
}

const error = (message: string | undefined, fatal: boolean): AgentError | undefined =>
	message === undefined ? undefined : { sessionUpdate: "error", message, fatal };

const messageIn = (data: Facts): string | undefined => textIn(factsIn(data, "error") ?? {}, "message");
