import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { assistantText, type Message, type ToolCall, type ToolResultMessage, userText } from "../message/message.js";

/** A history as messages: what was said, without what only the provider reads (reasoning, signatures). */
export function messagesOf(history: readonly LanguageModelV4Message[]): Message[] {
	const calls = new Map<string, ToolCall>();
	return history.flatMap((message) => messagesOfOne(message, calls));
}

function messagesOfOne(message: LanguageModelV4Message, calls: Map<string, ToolCall>): Message[] {
	switch (message.role) {
		case "system":
			return [{ type: "text", role: "system", content: message.content }];
		case "user":
			return [userText(message.content.map((part) => (part.type === "text" ? part.text : "")).join(""))];
		case "assistant":
			return assistantMessages(message.content, calls);
		case "tool":
			return message.content.flatMap((part) => (part.type === "tool-result" ? [toolResult(part, calls)] : []));
	}
}

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type ToolResultPart = Extract<AssistantPart, { type: "tool-result" }>;

function assistantMessages(content: readonly AssistantPart[], calls: Map<string, ToolCall>): Message[] {
	const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
	const tools = content.flatMap((part) =>
		part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, args: part.input }] : [],
	);
	for (const call of tools) calls.set(call.id, call);
	return [...(text ? [assistantText(text)] : []), ...(tools.length > 0 ? [{ type: "tool_call", role: "assistant", tools } as const] : [])];
}

function toolResult(part: ToolResultPart, calls: ReadonlyMap<string, ToolCall>): ToolResultMessage {
	const { output } = part;
	return {
		type: "tool_result",
		role: "tool_result",
		tool: calls.get(part.toolCallId) ?? { id: part.toolCallId, name: part.toolName, args: undefined },
		content:
			output.type === "text" || output.type === "error-text" ? output.value : JSON.stringify("value" in output ? output.value : output),
		isError: output.type === "error-text" || output.type === "error-json",
		durationMs: 0,
	};
}
