import { type Envelope, factsIn, nameIn } from "./event-facts.js";
import type { KnownRun } from "./known-runs.js";
import type { OutputEvent, SessionUpdate } from "./output-event.js";

interface Told {
	readonly update: SessionUpdate;
	readonly event: Envelope;
	readonly run: KnownRun | undefined;
	readonly timestamp: string | undefined;
}

/** An update with what the event, and the run it is of, say of where it comes from. Nothing is guessed. */
export function outputEvent({ update, event: { data, sequenceNumber }, run, timestamp }: Told): OutputEvent {
	// field by field, not by spreading: this is done for each delta
	const event: { -readonly [Field in keyof OutputEvent]: OutputEvent[Field] } = { update: Object.freeze(update) };
	const sessionId = nameIn(data, "sessionId");
	if (sessionId !== undefined) event.sessionId = sessionId;
	if (timestamp !== undefined) event.timestamp = timestamp;
	const model = nameIn(data, "model") ?? run?.model;
	if (model !== undefined) event.model = model;
	const messageId = nameIn(data, "messageId");
	if (messageId !== undefined) event.messageId = messageId;
	const parentToolCallId = nameIn(data, "parentToolCallId") ?? run?.parentToolCallId;
	if (parentToolCallId !== undefined) event.parentToolCallId = parentToolCallId;
	const extra = factsIn(data, "extra");
	if (extra !== undefined) event.extra = extra;
	const runId = nameIn(data, "runId");
	if (runId !== undefined) event.runId = runId;
	if (typeof sequenceNumber === "number") event.sequenceNumber = sequenceNumber;
	return Object.freeze(event);
}
