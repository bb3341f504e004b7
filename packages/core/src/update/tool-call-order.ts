import type { ToolCallStatus } from "./output-event.js";
import type { CallEvent, ToolCallOrder } from "./tool-call-state.js";

/** How many events of one kind are told apart: only those that come in the wrong order need more than the first. */
const MAX_PLACES = 8;

export const NO_ORDER: ToolCallOrder = { after: 0, calls: [], ends: [], fields: {} };

export const isStart = ({ update }: CallEvent): boolean => update.sessionUpdate === "tool_call";

export function statusOf({ ends: [end], inProgress }: ToolCallOrder): ToolCallStatus {
	return end?.status ?? (inProgress === undefined ? "pending" : "in_progress");
}

/** Whether an event is of a call that had the same id before. */
export function isOfEarlierCall({ after, calls: [beginning = 0] }: ToolCallOrder, event: CallEvent): boolean {
	if (after === 0 || event.number === 0 || event.number >= beginning) return false;
	// a tool_call behind the earlier one's end, overtaken by one that repeats it
	return !(isStart(event) && event.number > after);
}

/** The order with an event in it; the same object where it adds nothing. The fields that the event names are seen to elsewhere. */
export function orderWith(order: ToolCallOrder, event: CallEvent): ToolCallOrder {
	const { number } = event;
	const { status } = event.update;
	const calls = isStart(event) ? withPlace(order.calls, number, (call) => call) : order.calls;
	const isEnd = status === "completed" || status === "failed";
	const ends = isEnd ? withPlace(order.ends, { number, status }, (end) => end.number) : order.ends;
	const inProgress = status === "in_progress" ? Math.max(number, order.inProgress ?? 0) : order.inProgress;
	if (calls === order.calls && ends === order.ends && inProgress === order.inProgress) return order;
	return { ...order, calls, ends, ...(inProgress !== undefined && { inProgress }) };
}

/**
 * The order of the last of the calls that the id stood for: another one begins with a `tool_call` behind a `tool_call` and an end. One
 * event more can make one beginning more, so that there is one at most.
 */
export function orderOfLast(order: ToolCallOrder): ToolCallOrder {
	const { calls, ends, inProgress, fields } = order;
	const [call] = calls;
	const [end] = ends;
	if (call === undefined || end === undefined) return order;
	const after = Math.max(call, end.number);
	const beginning = calls.find((number) => number > after);
	if (beginning === undefined) return order;
	return {
		after,
		calls: calls.filter((number) => number >= beginning),
		...(inProgress !== undefined && inProgress >= beginning && { inProgress }),
		ends: ends.filter(({ number }) => number >= beginning),
		fields: Object.fromEntries(Object.entries(fields).filter(([, number]) => number >= beginning)),
	};
}

/** The places, in order, with another one. One without a number counts only where there is none yet. */
function withPlace<Place>(places: readonly Place[], place: Place, numberOf: (place: Place) => number): readonly Place[] {
	const number = numberOf(place);
	const isKnown = number === 0 ? places.length > 0 : places.some((known) => numberOf(known) === number);
	if (isKnown) return places;
	const [first, ...others] = [...places, place].sort((one, other) => numberOf(one) - numberOf(other));
	return first === undefined ? places : [first, ...others.slice(1 - MAX_PLACES)];
}
