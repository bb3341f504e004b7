import type { DeadLetterReason, DeliveryFailure, DeliveryOutcome } from "../bus/bus-transport.js";
import { type MessageRecord, RobotMessage } from "../bus/robot-message.js";
import { type Json, JsonValues } from "../json/json-values.js";
import { describeValue } from "../text/describe-value.js";
import { isPlainRecord } from "../value/is-plain-record.js";

/** The fields of something that came from another thread: anything at all. */
export type Fields = Readonly<Record<string, unknown>>;

const REASONS: Readonly<Record<DeadLetterReason, true>> = {
	failed: true,
	nacked: true,
	timed_out: true,
	no_handler: true,
	left: true,
	closed: true,
	lost: true,
};

/** Reads one field, or throws what is wrong with it. */
export function field<T>(fields: Fields, name: string, read: (value: unknown) => T): T {
	const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
	try {
		return read(value);
	} catch (cause) {
		throw new TypeError(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
	}
}

export function text(value: unknown): string {
	if (typeof value !== "string") throw new TypeError(`is ${describeValue(value)}, and no text`);
	return value;
}

/** A whole number, 0 or more. */
export function count(value: unknown): number {
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
		throw new TypeError(`is ${describeValue(value)}, and no number of things`);
	return value;
}

export function flag(value: unknown): boolean {
	if (typeof value !== "boolean") throw new TypeError(`is ${describeValue(value)}, and neither true nor false`);
	return value;
}

export function record(value: unknown): Fields {
	if (!isPlainRecord(value)) throw new TypeError(`is ${describeValue(value)}, and no record`);
	return value;
}

export function list<T>(value: unknown, read: (entry: unknown) => T): readonly T[] {
	if (!Array.isArray(value)) throw new TypeError(`is ${describeValue(value)}, and no list`);
	// unlike map() it comes by holes, too
	return Array.from(value as readonly unknown[], (entry) => read(entry));
}

export const texts = (value: unknown): readonly string[] => list(value, text);

/** A copy that nobody can change. */
export const json = (value: unknown): Json => new JsonValues().accept(value, "it");

/** A message whose content nobody can change, as it is everywhere. */
export function message(value: unknown): MessageRecord {
	const fields = record(value);
	return new RobotMessage({
		id: field(fields, "id", text),
		from: field(fields, "from", text),
		to: field(fields, "to", text),
		content: field(fields, "content", json),
		...(fields.inReplyTo === undefined ? {} : { inReplyTo: field(fields, "inReplyTo", text) }),
	});
}

export function outcome(value: unknown): DeliveryOutcome {
	const fields = record(value);
	const state = field(fields, "state", text);
	if (state === "acked") return { state };
	if (state !== "dead") throw new TypeError(`state: is ${describeValue(state)}, and neither acked nor dead`);
	return { state, ...failure(fields) };
}

function failure(fields: Fields): DeliveryFailure {
	const error = fields.error === undefined ? undefined : field(fields, "error", record);
	return {
		reason: field(fields, "reason", reason),
		attempts: field(fields, "attempts", count),
		...(error && { error: { code: field(error, "code", text), message: field(error, "message", text) } }),
	};
}

function reason(value: unknown): DeadLetterReason {
	if (typeof value !== "string" || !Object.hasOwn(REASONS, value)) throw new TypeError(`is ${describeValue(value)}, and no reason`);
	return value as DeadLetterReason;
}
