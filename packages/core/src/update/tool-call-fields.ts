import { isStart } from "./tool-call-order.js";
import type { CallEvent, FieldNumbers, ToolCallFields, ToolCallState } from "./tool-call-state.js";

type Field = keyof ToolCallFields;

const FIELDS: readonly Field[] = [
	"title",
	"toolName",
	"kind",
	"rawInput",
	"content",
	"locations",
	"rawOutput",
	"runId",
	"parentToolCallId",
];

export interface NumberedFields {
	readonly fields: ToolCallFields;
	readonly numbers: FieldNumbers;
}

/** The fields of a call after an event, with the numbers of the events they come from. `undefined` where it changes none. */
export function fieldsWith(card: ToolCallState, event: CallEvent): NumberedFields | undefined {
	const told = toldBy(event);
	const fields: Record<string, unknown> = {};
	const numbers: Record<string, number> = {};
	for (const field of FIELDS) {
		const value = told[field];
		if (value === undefined || value === null || !replaces(card, field, event, value)) continue;
		fields[field] = value;
		numbers[field] = Math.max(event.number, card.order.fields[field] ?? 0);
	}
	if (Object.keys(fields).length === 0) return undefined;
	return { fields: { ...fieldsFrom(card, card.order.fields), ...fields }, numbers: { ...card.order.fields, ...numbers } };
}

/** The fields that come from these events. */
export function fieldsFrom(fields: ToolCallFields, numbers: FieldNumbers): ToolCallFields {
	return Object.fromEntries(FIELDS.filter((field) => numbers[field] !== undefined).map((field) => [field, fields[field]]));
}

function replaces(card: ToolCallState, field: Field, event: CallEvent, value: unknown): boolean {
	const from = card.order.fields[field];
	if (from === undefined) return true;
	if (event.number > 0) return event.number > from;
	return value !== card[field] && !isStale(card, event);
}

/** Whether an event without a number is behind what is known: a repeated call, or one that takes an end back. */
function isStale({ status, order }: ToolCallState, event: CallEvent): boolean {
	const told = event.update.status;
	return isStart(event) || (order.ends.length > 0 && told !== undefined && told !== status);
}

function toldBy(event: CallEvent): { readonly [Name in Field]?: unknown } {
	const { update, runId, parentToolCallId } = event;
	return isStart(event) ? { ...update, runId, parentToolCallId } : { ...update, parentToolCallId };
}
