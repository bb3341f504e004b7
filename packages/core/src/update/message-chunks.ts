import type { TextContent } from "../stream/part-content.js";
import { type Facts, nameIn, textIn } from "./event-facts.js";
import type { AgentMessageChunk, AgentThoughtChunk, UserMessageChunk } from "./output-event.js";

type Chunk = AgentMessageChunk | AgentThoughtChunk | UserMessageChunk;

/** An empty delta is no chunk: it says nothing, and would count as work. */
export function textChunk(sessionUpdate: Chunk["sessionUpdate"], data: Facts): Chunk | undefined {
	const text = nameIn(data, "delta");
	return text === undefined ? undefined : { sessionUpdate, content: textContent(text) };
}

/** `undefined` for a file that is no image. */
export function imageChunk(part: Facts): Chunk | undefined {
	const mimeType = textIn(part, "mediaType");
	const data = textIn(part, "finalContent");
	if (data === undefined || !mimeType?.toLowerCase().startsWith("image/")) return undefined;
	const uri = nameIn(part, "uri");
	const content = Object.freeze({ type: "image" as const, data, mimeType, ...(uri !== undefined && { uri }) });
	return { sessionUpdate: part.role === "user" ? "user_message_chunk" : "agent_message_chunk", content };
}

export const textContent = (text: string): TextContent => Object.freeze({ type: "text", text });
