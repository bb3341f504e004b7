import type { LanguageModelV4FilePart, LanguageModelV4Message } from "@ai-sdk/provider";
import { assistantText, type Message, type ToolCall, type ToolResultMessage, userText } from "../message/message.js";
import { providerSafeName } from "../text/provider-safe-name.js";
import type { AssistantPart, History, ToolResultPart, UserPart } from "./history.js";

/**
 * A history as messages: what was said, without what only the provider reads (reasoning, signatures). A file is its name in brackets. Calls
 * that the provider made itself have their results behind them as all calls have; where it told of none, one that says so.
 */
export function messagesOf(history: History): Message[] {
	const known: Known = { calls: new Map(), provided: providedResults(history) };
	return history.flatMap((message) => messagesOfOne(message, known));
}

interface Known {
	readonly calls: Map<string, ToolCall>;
	/** The provider's own results, by the ids of their calls. One may stand in a later reply than its call. */
	readonly provided: ReadonlyMap<string, ToolResultPart>;
}

function messagesOfOne(message: LanguageModelV4Message, known: Known): Message[] {
	switch (message.role) {
		case "system":
			return [{ type: "text", role: "system", content: message.content }];
		case "user":
			return [userText(message.content.map(userPartText).join("\n\n"))];
		case "assistant":
			return assistantMessages(message.content, known);
		case "tool":
			return message.content.flatMap((part) => (part.type === "tool-result" ? [toolResult(part, known)] : []));
	}
}

const userPartText = (part: UserPart): string => (part.type === "text" ? part.text : fileText(part));

const fileText = ({ filename, mediaType }: LanguageModelV4FilePart): string => `[file ${filename ?? mediaType}]`;

/** Text and calls that belong together. */
interface Stretch {
	text: string;
	readonly calls: ToolCall[];
	readonly results: ToolResultMessage[];
}

function assistantMessages(content: readonly AssistantPart[], known: Known): Message[] {
	const stretches: [Stretch, ...Stretch[]] = [{ text: "", calls: [], results: [] }];
	for (const part of content) {
		const last = stretches.at(-1) ?? stretches[0];
		if (part.type === "text" && last.calls.length > 0 && last.calls.length === last.results.length) {
			// what is said when all calls were answered was said after them
			stretches.push({ text: part.text, calls: [], results: [] });
		} else if (part.type === "text") {
			last.text += part.text;
		} else if (part.type === "tool-call") {
			const call = { id: part.toolCallId, name: providerSafeName(part.toolName), args: part.input };
			known.calls.set(call.id, call);
			last.calls.push(call);
			if (part.providerExecuted) last.results.push(providedResult(call, known));
		}
	}
	return stretches.flatMap(({ text, calls, results }) => [
		...(text === "" ? [] : [assistantText(text)]),
		...(calls.length === 0 ? [] : [{ type: "tool_call", role: "assistant", tools: calls } as const]),
		...results,
	]);
}

function providedResults(history: History): ReadonlyMap<string, ToolResultPart> {
	const results = new Map<string, ToolResultPart>();
	for (const { role, content } of history) {
		if (role !== "assistant") continue;
		for (const part of content) {
			if (part.type === "tool-result" && !results.has(part.toolCallId)) results.set(part.toolCallId, part);
		}
	}
	return results;
}

function providedResult(tool: ToolCall, known: Known): ToolResultMessage {
	const part = known.provided.get(tool.id);
	if (part !== undefined) return toolResult(part, known);
	return { type: "tool_result", role: "tool_result", tool, content: "Error: the provider told of no result", isError: true, durationMs: 0 };
}

function toolResult(part: ToolResultPart, { calls }: Known): ToolResultMessage {
	return {
		type: "tool_result",
		role: "tool_result",
		tool: calls.get(part.toolCallId) ?? { id: part.toolCallId, name: part.toolName, args: undefined },
		content: outputText(part.output),
		isError: part.output.type === "error-text" || part.output.type === "error-json",
		durationMs: 0,
	};
}

function outputText(output: ToolResultPart["output"]): string {
	if (output.type === "text" || output.type === "error-text") return output.value;
	return JSON.stringify("value" in output ? output.value : output) ?? "";
}
