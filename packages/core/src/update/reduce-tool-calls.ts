import type { OutputEvent } from "./output-event.js";
import { type CallEvent, withCallEvent } from "./tool-call-order.js";
import type { ToolCallState } from "./tool-call-state.js";

/** The calls of a conversation by their ids, in the order in which they were first heard of. */
export type ToolCalls = ReadonlyMap<string, ToolCallState>;

/**
 * The calls after an event; the same object where it changes nothing. Begin with an empty Map.
 *
 * An update may come before its call. What it does not name stays, `content` replaces, and what has ended stays ended. Among events with
 * numbers the later one counts, in whatever order they come and however often; without numbers the one that comes later does, and a
 * repeated `tool_call` only adds what is missing. A call that was announced and has ended begins anew with a `tool_call` of a higher
 * number, or of another run: providers use an id again.
 */
export function reduceToolCalls(calls: ToolCalls, event: OutputEvent): ToolCalls {
	const told = callEvent(event);
	if (told === undefined) return calls;
	const { toolCallId } = told.update;
	const before = calls.get(toolCallId);
	const after = withCallEvent(before, told);
	if (after === before) return calls;
	const changed = new Map(calls);
	// a card that begins anew is a new one, at the end
	if (before !== undefined && isAnotherCall(before, after)) changed.delete(toolCallId);
	return changed.set(toolCallId, after);
}

function callEvent(event: OutputEvent): CallEvent | undefined {
	const update = event?.update;
	if (update?.sessionUpdate !== "tool_call" && update?.sessionUpdate !== "tool_call_update") return undefined;
	if (typeof update.toolCallId !== "string") return undefined;
	const { sequenceNumber = 0, runId, parentToolCallId } = event;
	return { update, runId, parentToolCallId, number: sequenceNumber > 0 ? sequenceNumber : 0 };
}

const isAnotherCall = (before: ToolCallState, after: ToolCallState): boolean =>
	before.order.after !== after.order.after || (before.runId !== undefined && before.runId !== after.runId);
