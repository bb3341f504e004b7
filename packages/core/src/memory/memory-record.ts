import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import type { Message } from "../message/message.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { isReserved, RESERVED_KEYS } from "./reserved-keys.js";

/** A memory as JSON. */
export interface MemoryRecord {
	readonly data: Readonly<Record<string, unknown>>;
	readonly results: readonly RobotResultRecord[];
	readonly messages: readonly Message[];
	readonly sessionId?: string;
	/** What is below the keys that are not reserved. */
	readonly custom: Readonly<Record<string, Json>>;
}

const READ = "Cannot read a memory";

/** What is below which key in a record, or in its text. Throws ConfigurationError where it is none; the values are still to be checked. */
export function entriesOfRecord(json: unknown): readonly (readonly [string, unknown])[] {
	const record = typeof json === "string" ? parseText(json) : json;
	if (!isRecord(record)) throw new ConfigurationError(`${READ}: it must be a record, got ${describeValue(record)}.`);
	const { custom } = record;
	if (!isRecord(custom)) throw new ConfigurationError(`${READ}: custom must be a record, got ${describeValue(custom)}.`);
	const misplaced = Object.keys(custom).find(isReserved);
	if (misplaced !== undefined) throw new ConfigurationError(`${READ}: "${misplaced}" is reserved, and stands beside custom, not in it.`);
	const reserved = RESERVED_KEYS.filter((key) => record[key] !== undefined).map((key) => [key, record[key]] as const);
	return [...reserved, ...Object.entries(custom)];
}

function parseText(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch (cause) {
		throw new ConfigurationError(`${READ}: the text is not JSON.`, { cause });
	}
}
