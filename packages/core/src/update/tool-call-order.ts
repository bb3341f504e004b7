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
	let known = order;
	if (isStart(event) && isNews(order.calls, number)) known = { ...known, calls: inOrder([...order.calls, number], (call) => call) };
	if (status === "in_progress" && number > (order.inProgress ?? -1)) known = { ...known, inProgress: number };
	const isEnd = status === "completed" || status === "failed";
	if (
		isEnd &&
		isNews(
			order.ends.map((end) => end.number),
			number,
		)
	) {
		known = { ...known, ends: inOrder([...order.ends, { number, status }], (end) => end.number) };
	}
	return known;
}

/** The order of the last of the calls that the id stood for: another one begins with each `tool_call` behind a `tool_call` and an end. */
export function orderOfLast(order: ToolCallOrder): ToolCallOrder {
	const { calls, ends, inProgress, fields } = order;
	const [call] = calls;
	const [end] = ends;
	if (call === undefined || end === undefined) return order;
	const after = Math.max(call, end.number);
	const beginning = calls.find((number) => number > after);
	if (beginning === undefined) return order;
	return orderOfLast({
		after,
		calls: calls.filter((number) => number >= beginning),
		...(inProgress !== undefined && inProgress >= beginning && { inProgress }),
		ends: ends.filter(({ number }) => number >= beginning),
		fields: Object.fromEntries(Object.entries(fields).filter(([, number]) => number >= beginning)),
	});
}

/** An event without a number is one among those that have one only where there are none. */
const isNews = (known: readonly number[], number: number): boolean => (number === 0 ? known.length === 0 : !known.includes(number));

function inOrder<Place>(places: Place[], numberOf: (place: Place) => number): readonly Place[] {
	const [first, ...others] = places.sort((one, other) => numberOf(one) - numberOf(other));
	return first === undefined ? [] : [first, ...others.slice(1 - MAX_PLACES)];
}
