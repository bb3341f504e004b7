import { type Facts, nameIn, textIn } from "./event-facts.js";
import { textContent } from "./message-chunks.js";
import type { ToolCallStart, ToolCallUpdate } from "./output-event.js";
import { contentIn, kindIn, locationsIn } from "./tool-call-facts.js";

/** A call whose arguments are complete. */
export function callStart(part: Facts): ToolCallStart | undefined {
	const toolCallId = nameIn(part, "toolCallId");
	if (toolCallId === undefined) return undefined;
	const toolName = nameIn(part, "toolName");
	const rawInput = part.input === undefined ? textIn(part, "finalContent") : part.input;
	const content = contentIn(part);
	const locations = locationsIn(part);
	return {
		sessionUpdate: "tool_call",
		toolCallId,
		title: nameIn(part, "title") ?? toolName ?? toolCallId,
		...(toolName !== undefined && { toolName }),
		kind: kindIn(part),
		status: "pending",
		...(rawInput !== undefined && { rawInput }),
		...(content !== undefined && { content }),
		...(locations !== undefined && { locations }),
	};
}

/** @param text What there is to show now, in the place of what was shown before. */
export function callUpdate(part: Facts, status: "in_progress" | "completed" | "failed", text?: string): ToolCallUpdate | undefined {
	const toolCallId = nameIn(part, "toolCallId");
	if (toolCallId === undefined) return undefined;
	const title = nameIn(part, "title");
	const locations = locationsIn(part);
	return {
		sessionUpdate: "tool_call_update",
		toolCallId,
		status,
		...(title !== undefined && { title }),
		...(text !== undefined && { content: Object.freeze([Object.freeze({ type: "content", content: textContent(text) } as const)]) }),
		...(locations !== undefined && { locations }),
	};
}

/** @param text The result exactly as it is. */
export function callEnd(part: Facts, status: "completed" | "failed", text: string | undefined): ToolCallUpdate | undefined {
	const update = callUpdate(part, status, text);
	const rawOutput = part.script ?? part.rawOutput;
	return update === undefined || rawOutput === undefined ? update : { ...update, rawOutput };
}
