import { FieldReader, type ReadField } from "./field-reader.js";
import { parseMessage, parseToolResult } from "./parse-message.js";
import type { RobotResultInit } from "./robot-result-record.js";
import { STOP_REASONS, type StopReason } from "./stop-reason.js";

const read = new FieldReader("Cannot read a RobotResult");
const string: ReadField<string> = (value, field) => read.string(value, field);
const number: ReadField<number> = (value, field) => read.number(value, field);

/** Checks a result's record field by field. Throws ConfigurationError naming the field. */
export function parseRobotResult(json: unknown): RobotResultInit {
	const record = read.object(json, "the result");
	return {
		id: string(record.id, "id"),
		robotName: string(record.robotName, "robotName"),
		output: read.list(record.output, "output", (value, field) => parseMessage(value, field, read)),
		...(record.data !== undefined && { data: record.data }),
		toolCalls: read.list(record.toolCalls, "toolCalls", (value, field) => parseToolResult(value, field, read)),
		stopReason: stopReason(record.stopReason),
		createdAt: date(record.createdAt),
		inputTokens: read.optional(record.inputTokens, "inputTokens", number),
		outputTokens: read.optional(record.outputTokens, "outputTokens", number),
		durationMs: read.optional(record.durationMs, "durationMs", number) ?? 0,
		delegatedBy: read.optional(record.delegatedBy, "delegatedBy", string),
	};
}

function stopReason(value: unknown): StopReason {
	const known = STOP_REASONS.find((reason) => reason === value);
	if (known === undefined) throw read.wrong("stopReason", `one of ${STOP_REASONS.join(", ")}`, value);
	return known;
}

function date(value: unknown): Date {
	const parsed = new Date(string(value, "createdAt"));
	if (Number.isNaN(parsed.getTime())) throw read.wrong("createdAt", "an ISO 8601 date", value);
	return parsed;
}
