import { isList } from "../text/describe-value.js";
import { isObject } from "../value/frozen-copy.js";

/** Named values of which nobody knows the types: an event may come from a file, or from a publisher who keeps to no contract. */
export type Facts = Readonly<Record<string, unknown>>;

/** An event as far as it must be known to be looked at. */
export interface Envelope {
	readonly event: string;
	readonly data: Facts;
	readonly timestamp?: unknown;
	readonly sequenceNumber?: unknown;
}

export function isEnvelope(event: unknown): event is Envelope {
	return isObject(event) && "event" in event && typeof event.event === "string" && "data" in event && isObject(event.data);
}

export function textIn(facts: Facts, key: string): string | undefined {
	const value = facts[key];
	return typeof value === "string" ? value : undefined;
}

/** A text that says something, as a name or an id does. */
export const nameIn = (facts: Facts, key: string): string | undefined => textIn(facts, key) || undefined;

export function factsIn(facts: Facts, key: string): Facts | undefined {
	const value = facts[key];
	return isObject(value) && !isList(value) ? (value as Facts) : undefined;
}

/** The run that an event is of; those that name none count as one. */
export const runIdIn = (data: Facts): string => textIn(data, "runId") ?? "";
