/** Something that was said. Plain, immutable data; tell the kinds apart by `type`. */
export type Message = TextMessage | ToolCallMessage | ToolResultMessage;

/** Text from a person, the model or the system prompt. */
export interface TextMessage {
	readonly type: "text";
	readonly role: "user" | "assistant" | "system";
	readonly content: string;
}

/** One call the model asked for. */
export interface ToolCall {
	/** Unique within a run; a result names the call it answers by it. */
	readonly id: string;
	readonly name: string;
	/** The arguments as the model wrote them: parsed JSON, or the raw text where it was no JSON. */
	readonly args: unknown;
}

/** The calls of one reply of the model, in its order. */
export interface ToolCallMessage {
	readonly type: "tool_call";
	readonly role: "assistant";
	readonly tools: readonly ToolCall[];
}

/** What one call came to. A failure is text too, with `isError` set. */
export interface ToolResultMessage {
	readonly type: "tool_result";
	readonly role: "tool_result";
	readonly tool: ToolCall;
	readonly content: string;
	readonly isError: boolean;
	readonly durationMs: number;
}

export const userText = (content: string): TextMessage => ({ type: "text", role: "user", content });

export const assistantText = (content: string): TextMessage => Object.freeze({ type: "text", role: "assistant", content });
