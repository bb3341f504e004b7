import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4Prompt,
	LanguageModelV4StreamPart,
	SharedV4Warning,
} from "@ai-sdk/provider";
import { headAndTail } from "../text/head-and-tail.js";
import { generateResultOf } from "./generate-result.js";
import { everyUrl } from "./model.js";
import { answerFrom, answerWithout } from "./offline/answer.js";
import { type Choice, chooseTool } from "./offline/choose-tool.js";
import { namedTools } from "./offline/named-tools.js";
import { offeredTools } from "./offline/offered-tool.js";
import { offlineWarnings } from "./offline/offline-warnings.js";
import { partStream } from "./part-stream.js";
import { blockParts, callParts, deltasOf } from "./reply-parts.js";

const MAX_CHARACTERS = 8_000;
const USAGE = {
	inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
	outputTokens: { total: 0, text: 0, reasoning: 0 },
} as const;

/**
 * A stand-in for a language model that needs no key and no network, and is none: it calls the one tool whose name and description
 * fit the message best by their words, takes the arguments from the message and the tool's schema, and quotes what the tool gave.
 * Every answer begins with `offline: no language model was used`. The same message and tools always give the same answer. What it cannot
 * heed of a call's settings is a warning of the specification.
 */
export function offlineModel(): LanguageModelV4 {
	return {
		specificationVersion: "v4",
		provider: "offline",
		modelId: "offline",
		supportedUrls: everyUrl(),
		doGenerate: async (options) => generateResultOf(respond(options)),
		doStream: async (options) => ({ stream: partStream(respond(options), options.abortSignal) }),
	};
}

function respond(options: LanguageModelV4CallOptions): LanguageModelV4StreamPart[] {
	options.abortSignal?.throwIfAborted();
	const { prompt, toolChoice } = options;
	const last = prompt.at(-1);
	const quoted = last?.role === "tool" ? answerFrom(last) : undefined;
	if (quoted !== undefined) return reply(options, { text: quoted });
	const mustCall = toolChoice?.type === "required" || toolChoice?.type === "tool";
	const offered = offeredTools(options);
	const { message, tools } = namedTools(headAndTail(lastUserText(prompt), MAX_CHARACTERS), offered);
	const choice = chooseTool(message, tools, mustCall);
	if (choice !== undefined && choice.missing.length === 0) return reply(options, { call: choice });
	return reply(options, { text: answerWithout(offered, choice) }, mustCall ? [NO_CALL] : []);
}

const NO_CALL: SharedV4Warning = { type: "unsupported", feature: "toolChoice", details: "the words of the message make no call" };

function lastUserText(prompt: LanguageModelV4Prompt): string {
	const message = prompt.findLast(({ role }) => role === "user");
	return message?.role === "user" ? message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";
}

function reply(
	options: LanguageModelV4CallOptions,
	answer: { readonly text: string } | { readonly call: Choice },
	warnings: readonly SharedV4Warning[] = [],
): LanguageModelV4StreamPart[] {
	const isText = "text" in answer;
	return [
		{ type: "stream-start", warnings: [...offlineWarnings(options), ...warnings] },
		{ type: "response-metadata", modelId: "offline" },
		...(isText
			? blockParts("text", "text", deltasOf(answer.text))
			: callParts(`offline-${options.prompt.length}`, answer.call.tool.name, [JSON.stringify(answer.call.args)])),
		{ type: "finish", usage: USAGE, finishReason: { unified: isText ? "stop" : "tool-calls", raw: undefined } },
	];
}
