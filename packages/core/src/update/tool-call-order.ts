import type { ToolCallStart, ToolCallUpdate } from "./output-event.js";
import type { ToolCallEnd, ToolCallFields, ToolCallOrder, ToolCallState } from "./tool-call-state.js";

/** What an event tells of a call. */
export interface CallEvent {
	readonly update: ToolCallStart | ToolCallUpdate;
	readonly runId: string | undefined;
	readonly parentToolCallId: string | undefined;
	/** 0 where the event has none. */
	readonly number: number;
}

/** A call after one more event; the same object where that changes nothing. */
export function withCallEvent(known: ToolCallState | undefined, event: CallEvent): ToolCallState {
	const card = known === undefined || isOfAnotherRun(known, event) ? newCard(event) : known;
	if (isOfEarlierCall(card.order, event)) return card;
	const order = orderWith(card.order, event);
	const { fields, numbers } = fieldsWith(card, event);
	if (order === card.order && numbers === card.order.fields && fields === card) return card;
	return begunAnew({ ...card, ...fields, order: { ...order, fields: numbers } });
}

const newCard = ({ update }: CallEvent): ToolCallState => ({
	toolCallId: update.toolCallId,
	status: "pending",
	isAnnounced: false,
	order: { after: 0, fields: {} },
});
