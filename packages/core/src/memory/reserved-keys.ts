import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import type { ReservedValues } from "./memory-values.js";

interface ReservedKey {
	/** What there is before anything was written. */
	readonly initial: Json | undefined;
	readonly holds: (value: Json) => boolean;
	/** What it holds, in words. */
	readonly what: string;
}

const MESSAGE_TYPES: readonly unknown[] = ["text", "tool_call", "tool_result"];

const RESERVED: Readonly<Record<keyof ReservedValues, ReservedKey>> = {
	data: { initial: Object.freeze({}), holds: isRecord, what: "a record" },
	results: { initial: Object.freeze([]), holds: Array.isArray, what: "a list of results" },
	messages: { initial: Object.freeze([]), holds: isListOfMessages, what: "a list of messages" },
	sessionId: { initial: undefined, holds: (value) => typeof value === "string", what: "text" },
};

/** The keys with a meaning of their own. They are not listed, not cleared, and no pattern is about them. */
export const RESERVED_KEYS: readonly (keyof ReservedValues)[] = ["data", "results", "messages", "sessionId"];

export const isReserved = (key: string): key is keyof ReservedValues => Object.hasOwn(RESERVED, key);

export const initialValue = (key: string): Json | undefined => (isReserved(key) ? RESERVED[key].initial : undefined);

/** Throws ConfigurationError for a key that is no text, and for one that names no value. */
export function checkKey(key: unknown, what: string): void {
	if (typeof key !== "string") throw new ConfigurationError(`${what}: a key must be text, got ${describeValue(key)}.`);
	if (key === "cache") throw new ConfigurationError(`${what}: "cache" is reserved, and no value. Use memory.cache, or another key.`);
}

/** Throws ConfigurationError where a reserved key would hold what it is not for. */
export function checkReserved(key: string, value: Json, what: string): void {
	if (!isReserved(key) || RESERVED[key].holds(value)) return;
	throw new ConfigurationError(`${what}: ${key} must be ${RESERVED[key].what}, got ${describeValue(value)}.`);
}

function isListOfMessages(value: Json): boolean {
	return Array.isArray(value) && value.every((entry: Json) => isRecord(entry) && MESSAGE_TYPES.includes(entry.type));
}
