import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { Message, ToolCall, ToolResultMessage } from "./message.js";
import type { RobotResultInit } from "./robot-result-record.js";
import { STOP_REASONS, type StopReason } from "./stop-reason.js";

type Fields = Readonly<Record<string, unknown>>;

/** Checks a result's record field by field. Throws ConfigurationError naming the field. */
export function parseRobotResult(json: unknown): RobotResultInit {
	const record = object(json, "the result");
	return {
		id: string(record.id, "id"),
		robotName: string(record.robotName, "robotName"),
		output: list(record.output, "output", message),
		toolCalls: list(record.toolCalls, "toolCalls", toolResult),
		stopReason: stopReason(record.stopReason),
		createdAt: date(record.createdAt),
		inputTokens: optional(record.inputTokens, "inputTokens", number),
		outputTokens: optional(record.outputTokens, "outputTokens", number),
		durationMs: optional(record.durationMs, "durationMs", number) ?? 0,
		delegatedBy: optional(record.delegatedBy, "delegatedBy", string),
	};
}

function message(value: unknown, field: string): Message {
	const fields = object(value, field);
	if (fields.type === "tool_result") return toolResult(value, field);
	if (fields.type === "tool_call") {
		return { type: "tool_call", role: "assistant", tools: list(fields.tools, `${field}.tools`, toolCall) };
	}
	if (fields.type !== "text") throw wrong(`${field}.type`, 'one of "text", "tool_call", "tool_result"', fields.type);
	const { role } = fields;
	if (role !== "user" && role !== "assistant" && role !== "system") throw wrong(`${field}.role`, "user, assistant or system", role);
	return { type: "text", role, content: string(fields.content, `${field}.content`) };
}

function toolResult(value: unknown, field: string): ToolResultMessage {
	const fields = object(value, field);
	if (fields.type !== "tool_result") throw wrong(`${field}.type`, '"tool_result"', fields.type);
	return {
		type: "tool_result",
		role: "tool_result",
		tool: toolCall(fields.tool, `${field}.tool`),
		content: string(fields.content, `${field}.content`),
		isError: fields.isError === true,
		durationMs: optional(fields.durationMs, `${field}.durationMs`, number) ?? 0,
	};
}

function toolCall(value: unknown, field: string): ToolCall {
	const fields = object(value, field);
	return { id: string(fields.id, `${field}.id`), name: string(fields.name, `${field}.name`), args: fields.args };
}

function stopReason(value: unknown): StopReason {
	const known = STOP_REASONS.find((reason) => reason === value);
	if (known === undefined) throw wrong("stopReason", `one of ${STOP_REASONS.join(", ")}`, value);
	return known;
}

function date(value: unknown): Date {
	const parsed = new Date(string(value, "createdAt"));
	if (Number.isNaN(parsed.getTime())) throw wrong("createdAt", "an ISO 8601 date", value);
	return parsed;
}

function object(value: unknown, field: string): Fields {
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(field, "an object", value);
	return value as Fields;
}

function list<T>(value: unknown, field: string, item: (value: unknown, field: string) => T): readonly T[] {
	if (!Array.isArray(value)) throw wrong(field, "an array", value);
	return value.map((entry, index) => item(entry, `${field}[${index}]`));
}

function string(value: unknown, field: string): string {
	if (typeof value !== "string") throw wrong(field, "a string", value);
	return value;
}

function number(value: unknown, field: string): number {
	if (typeof value !== "number") throw wrong(field, "a number", value);
	return value;
}

function optional<T>(value: unknown, field: string, read: (value: unknown, field: string) => T): T | undefined {
	return value === undefined || value === null ? undefined : read(value, field);
}

function wrong(field: string, expected: string, value: unknown): ConfigurationError {
	return new ConfigurationError(`Cannot read a RobotResult: ${field} must be ${expected}, got ${describeValue(value)}.`);
}
