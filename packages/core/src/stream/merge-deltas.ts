import type { PublishedEvent, StreamEvent } from "./stream-event.js";
import { StreamEvents } from "./stream-events.js";

/** Whether the later event goes on where the earlier one ended: two deltas of one part, of one kind and one stream. */
export function continues(earlier: StreamEvent, later: StreamEvent): boolean {
	if (earlier.event !== later.event || !isTextDelta(earlier) || !isTextDelta(later)) return false;
	return partKey(earlier) === partKey(later);
}

/** Which deltas may become one. `undefined` for what is none. */
export function partKey(event: StreamEvent): string | undefined {
	if (!isTextDelta(event)) return undefined;
	const { runId, messageId, partId, stream } = event.data as Record<string, unknown>;
	return JSON.stringify([event.event, runId, messageId, partId, stream]);
}

/** One event for two: the later one, with the text of both and the range of their numbers. */
export function mergeDeltas<Event extends StreamEvent>(earlier: Event, later: Event): Event {
	const merged: PublishedEvent = {
		...(later as PublishedEvent),
		data: Object.freeze({ ...later.data, delta: deltaOf(earlier) + deltaOf(later) }),
		firstSequenceNumber: firstNumber(earlier),
	};
	return Object.freeze(merged) as unknown as Event;
}

/** The number of the first event that this one stands for. */
export const firstNumber = ({ firstSequenceNumber, sequenceNumber }: PublishedEvent | StreamEvent): number =>
	firstSequenceNumber ?? sequenceNumber;

const isTextDelta = ({ event, data }: StreamEvent): boolean =>
	StreamEvents.isDelta(event) && "delta" in data && typeof data.delta === "string";

const deltaOf = ({ data }: StreamEvent): string => ("delta" in data ? String(data.delta) : "");
