import type { OutputEvent } from "./output-event.js";
import { fieldsFrom, fieldsWith } from "./tool-call-fields.js";
import { isOfEarlierCall, isStart, NO_ORDER, orderOfLast, orderWith, statusOf } from "./tool-call-order.js";
import type { CallEvent, ToolCallFields, ToolCallOrder, ToolCallState } from "./tool-call-state.js";

/** The calls of a conversation by their ids, in the order in which they were first heard of. */
export type ToolCalls = ReadonlyMap<string, ToolCallState>;

/**
 * The calls after an event; the same object where it changes nothing. Begin with an empty Map.
 *
 * An update may come before its call. What it does not name stays, `content` replaces, and what has ended stays ended. Of events with
 * numbers the later one counts, in whatever order they come and however often; of those without, the one that comes later, but a repeated
 * `tool_call` only adds what is missing. A call that was announced and has ended begins anew with a `tool_call` of a higher number, or
 * of another run: providers use an id again.
 */
export function reduceToolCalls(calls: ToolCalls, event: OutputEvent): ToolCalls {
	const told = callEvent(event);
	if (told === undefined) return calls;
	const { toolCallId } = told.update;
	const known = calls.get(toolCallId);
	const before = known !== undefined && isOfAnotherRun(known, told) ? undefined : known;
	const after = cardWith(before ?? cardOf(toolCallId, {}, NO_ORDER), told);
	if (after === before) return calls;
	const changed = new Map(calls);
	// a call that begins anew is another one, and comes last
	if (before?.order.after !== after.order.after) changed.delete(toolCallId);
	return changed.set(toolCallId, after);
}

function callEvent(event: OutputEvent): CallEvent | undefined {
	const update = event?.update;
	if (update?.sessionUpdate !== "tool_call" && update?.sessionUpdate !== "tool_call_update") return undefined;
	if (typeof update.toolCallId !== "string") return undefined;
	const { sequenceNumber = 0, runId, parentToolCallId } = event;
	return { update, runId, parentToolCallId, number: Math.max(sequenceNumber, 0) || 0 };
}

/** The numbers of two logs cannot be compared, and ids are unique in one. */
const isOfAnotherRun = (card: ToolCallState, event: CallEvent): boolean =>
	isStart(event) && event.runId !== undefined && card.runId !== undefined && event.runId !== card.runId;

function cardWith(card: ToolCallState, event: CallEvent): ToolCallState {
	if (isOfEarlierCall(card.order, event)) return card;
	const order = orderWith(card.order, event);
	const told = fieldsWith(card, event);
	if (order === card.order && told === undefined) return card;
	return cardOf(card.toolCallId, told?.fields ?? card, { ...order, fields: told?.numbers ?? order.fields });
}

/** @param fields Those that `order` has numbers for count. */
function cardOf(toolCallId: string, fields: ToolCallFields, order: ToolCallOrder): ToolCallState {
	const own = orderOfLast(order);
	return {
		toolCallId,
		...fieldsFrom(fields, own.fields),
		status: statusOf(own),
		isAnnounced: own.calls.length > 0,
		order: own,
	};
}
