import type { PublishedEvent, StreamEvent } from "./stream-event.js";
import { StreamEvents } from "./stream-events.js";

/** Whether the later event goes on where the earlier one ended: deltas that may become one, whose numbers follow each other. */
export function continues(earlier: StreamEvent, later: StreamEvent): boolean {
	const key = deltaKey(earlier);
	return key !== undefined && key === deltaKey(later) && firstNumber(later) === earlier.sequenceNumber + 1;
}

/**
 * Deltas with the same key may become one without loss: they are of one kind, and nothing but their text differs, which makes them of one
 * run, message, part and stream. `undefined` for what is no delta of text, or holds more than text beside it.
 */
export function deltaKey({ event, data }: StreamEvent): string | undefined {
	if (!StreamEvents.isDelta(event)) return undefined;
	const { delta, ...others } = data as Readonly<Record<string, unknown>>;
	if (typeof delta !== "string" || !Object.values(others).every(isFlat)) return undefined;
	return JSON.stringify([event, others]);
}

/** One event for two: the later one, with the text of both and the range of their numbers. */
export const mergeDeltas = <Event extends StreamEvent>(earlier: Event, later: Event): Event => mergeRow([earlier, later]);

/** One event for many, in their order: the last, with the text of all and the range of their numbers. */
export function mergeRow<Event extends StreamEvent>([first, ...others]: readonly [Event, ...Event[]]): Event {
	const last = others.at(-1);
	if (last === undefined) return first;
	// joined, for a text that is put together by + holds every piece; the first may be long already, and is not copied each time
	const delta = deltaOf(first) + others.map(deltaOf).join("");
	const merged: PublishedEvent = {
		...last,
		data: Object.freeze({ ...last.data, delta }),
		firstSequenceNumber: firstNumber(first),
	};
	return Object.freeze(merged) as unknown as Event;
}

/** The number of the first event that this one stands for. */
export const firstNumber = ({ firstSequenceNumber, sequenceNumber }: PublishedEvent): number => firstSequenceNumber ?? sequenceNumber;

const isFlat = (value: unknown): boolean =>
	typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === undefined;

const deltaOf = ({ data }: StreamEvent): string => ("delta" in data ? String(data.delta) : "");
