import type { StreamEvent } from "../stream/stream-event.js";
import { isRecord } from "../text/describe-value.js";
import { freezeWhole } from "../value/freeze-whole.js";

/** An event as it was written, frozen with everything in it, or in a few words why the text is none. */
export function parseEvent(text: string): { readonly event: StreamEvent } | { readonly problem: string } {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { problem: "it is no JSON" };
	}
	const problem = eventProblem(value);
	if (problem !== undefined) return { problem };
	freezeWhole(value);
	// the shape is checked and the name is not: a log may hold events of a tool's own
	return { event: value as StreamEvent };
}

/** Why something is no event, in a few words; `undefined` where it is one. */
export function eventProblem(value: unknown): string | undefined {
	if (!isRecord(value)) return "it is no object";
	const { event, data, timestamp, sequenceNumber, firstSequenceNumber = sequenceNumber, id } = value;
	if (typeof event !== "string" || event === "") return "its event is no name";
	if (typeof id !== "string") return "its id is no text";
	if (!Number.isFinite(timestamp)) return "its timestamp is no number";
	if (!isSequenceNumber(sequenceNumber)) return "its sequenceNumber is no whole number from 1";
	if (!isSequenceNumber(firstSequenceNumber) || firstSequenceNumber > sequenceNumber)
		return "its firstSequenceNumber is no whole number from 1 to its sequenceNumber";
	if (!isRecord(data)) return "its data is no object";
	for (const field of ["runId", "messageId", "scope"]) if (typeof data[field] !== "string") return `its data.${field} is no text`;
	return undefined;
}

const isSequenceNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
