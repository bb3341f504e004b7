import type { StreamEvent } from "../stream/stream-event.js";
import { isObject } from "../value/frozen-copy.js";

/** An event as it was written, frozen with everything in it, or in a few words why the text is none. */
export function parseEvent(text: string): { readonly event: StreamEvent } | { readonly problem: string } {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { problem: "it is no JSON" };
	}
	const problem = problemOf(value);
	// the shape is checked and the name is not: a log may hold events of a tool's own
	return problem === undefined ? { event: freezeDeep(value as StreamEvent) } : { problem };
}

function problemOf(value: unknown): string | undefined {
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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value) && !Array.isArray(value);

const isSequenceNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

/** In place, for what nobody else has: a tree fresh from JSON, however deep. */
function freezeDeep<T extends object>(tree: T): T {
	const waiting: object[] = [tree];
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		for (const child of Object.values(node)) if (isObject(child)) waiting.push(child);
		Object.freeze(node);
	}
	return tree;
}
