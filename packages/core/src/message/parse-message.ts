import type { FieldReader } from "./field-reader.js";
import type { Message, ToolCall, ToolResultMessage } from "./message.js";

/** Checks one message. Throws ConfigurationError naming the field. What a message does not have is left out. */
export function parseMessage(value: unknown, field: string, read: FieldReader): Message {
	const { type, role, tools, content } = read.object(value, field);
	if (type === "tool_result") return parseToolResult(value, field, read);
	if (type === "tool_call") {
		const calls = read.list(tools, `${field}.tools`, (call, name) => parseToolCall(call, name, read));
		return { type: "tool_call", role: "assistant", tools: calls };
	}
	if (type !== "text") throw read.wrong(`${field}.type`, 'one of "text", "tool_call", "tool_result"', type);
	if (role !== "user" && role !== "assistant" && role !== "system") {
		throw read.wrong(`${field}.role`, "user, assistant or system", role);
	}
	return { type: "text", role, content: read.string(content, `${field}.content`) };
}

/** Checks what a call came to. Throws ConfigurationError naming the field. */
export function parseToolResult(value: unknown, field: string, read: FieldReader): ToolResultMessage {
	const { type, tool, content, isError, durationMs } = read.object(value, field);
	if (type !== "tool_result") throw read.wrong(`${field}.type`, '"tool_result"', type);
	return {
		type: "tool_result",
		role: "tool_result",
		tool: parseToolCall(tool, `${field}.tool`, read),
		content: read.string(content, `${field}.content`),
		isError: isError === true,
		durationMs: read.optional(durationMs, `${field}.durationMs`, (given, name) => read.number(given, name)) ?? 0,
	};
}

function parseToolCall(value: unknown, field: string, read: FieldReader): ToolCall {
	const { id, name, args } = read.object(value, field);
	return { id: read.string(id, `${field}.id`), name: read.string(name, `${field}.name`), args };
}
