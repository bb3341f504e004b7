import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { headAndTail } from "../text/head-and-tail.js";
import { generateResultOf } from "./generate-result.js";
import { answerFrom, answerWithout } from "./offline/answer.js";
import { chooseTool } from "./offline/choose-tool.js";
import type { OfferedTool } from "./offline/offered-tool.js";

const MAX_CHARACTERS = 8_000;
const USAGE = {
	inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
	outputTokens: { total: 0, text: 0, reasoning: 0 },
} as const;

/**
 * A stand-in for a language model that needs no key and no network, and is none: it calls the one tool whose name and description
 * fit the message best by their words, takes the arguments from the message and the tool's schema, and quotes what the tool gave.
 * Every answer begins with `offline: no language model was used`. The same message and tools always give the same answer.
 */
export function offlineModel(): LanguageModelV4 {
	return {
		specificationVersion: "v4",
		provider: "offline",
		modelId: "offline",
		supportedUrls: {},
		doGenerate: async (options) => generateResultOf(respond(options)),
		doStream: async (options) => ({ stream: streamOf(respond(options)) }),
	};
}

function respond({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): LanguageModelV4StreamPart[] {
	const last = prompt.at(-1);
	if (last?.role === "tool") return textReply(answerFrom(last));
	const offered = toolChoice?.type === "none" ? [] : tools.flatMap((tool) => (tool.type === "function" ? [offeredTool(tool)] : []));
	const choice = chooseTool(headAndTail(lastUserText(prompt), MAX_CHARACTERS), offered);
	if (choice === undefined || choice.missing.length > 0) return textReply(answerWithout(offered, choice));
	return callReply(choice.tool.name, choice.args, `offline-${prompt.length}`);
}

const offeredTool = ({
	name,
	description,
	inputSchema,
}: Extract<NonNullable<LanguageModelV4CallOptions["tools"]>[number], { type: "function" }>): OfferedTool => ({
	name,
	parameters: inputSchema,
	...(description !== undefined && { description }),
});

function lastUserText(prompt: LanguageModelV4Prompt): string {
	const message = prompt.findLast(({ role }) => role === "user");
	return message?.role === "user" ? message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";
}

function textReply(text: string): LanguageModelV4StreamPart[] {
	const deltas = text.match(/\S+\s*|\s+/g) ?? [];
	return [
		{ type: "stream-start", warnings: [] },
		{ type: "text-start", id: "text" },
		...deltas.map((delta): LanguageModelV4StreamPart => ({ type: "text-delta", id: "text", delta })),
		{ type: "text-end", id: "text" },
		{ type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: undefined } },
	];
}

function callReply(toolName: string, args: Readonly<Record<string, unknown>>, toolCallId: string): LanguageModelV4StreamPart[] {
	return [
		{ type: "stream-start", warnings: [] },
		{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(args) },
		{ type: "finish", usage: USAGE, finishReason: { unified: "tool-calls", raw: undefined } },
	];
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
	let next = 0;
	return new ReadableStream({
		pull: (controller) => {
			const part = parts[next++];
			if (part === undefined) controller.close();
			else controller.enqueue(part);
		},
	});
}
