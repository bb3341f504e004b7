import type { LanguageModelV4FilePart, LanguageModelV4Message } from "@ai-sdk/provider";
import { checkCount, checkShare } from "../options/check-numbers.js";
import { countUnspaced } from "../text/unspaced-scripts.js";
import type { AssistantPart, History, ToolResultPart } from "./history.js";

const CHARACTERS_PER_TOKEN = 4;
/** About what providers take for a large picture, or a page of a document. */
const FILE_TOKENS = 1_600;
/** Of a document, a recording or a film: fewer for a scanned page, more for a page of text. */
const BYTES_PER_TOKEN = 50;

/**
 * About how many tokens a text or a history is for a model: a quarter of its characters, a letter of a script without spaces (Chinese, Japanese,
 * Thai) one each. A picture counts 1600, another file a fiftieth of its bytes and at least as much as a picture, one with text in it as text.
 */
export function estimateTokens(content: History | string): number {
	return Math.ceil(typeof content === "string" ? textTokens(content) : sum(content, messageTokens));
}

/** How much of a model's window may be filled. */
export interface ContextRoom {
	/** The tokens that the model takes in all. Default 200,000. */
	readonly contextWindow?: number | undefined;
	/** The share of them from which on a history is too long, 0 to 1. Default 0.8. */
	readonly compactThreshold?: number | undefined;
}

/** From how many tokens on history and system prompt together are too long. Throws ConfigurationError for numbers that cannot be meant. */
export function fullAt({ contextWindow = 200_000, compactThreshold = 0.8 }: ContextRoom): number {
	checkCount("contextWindow", contextWindow, 1);
	checkShare("compactThreshold", compactThreshold);
	return compactThreshold * contextWindow;
}

const textTokens = (text: string): number => {
	const unspaced = countUnspaced(text);
	return unspaced + (text.length - unspaced) / CHARACTERS_PER_TOKEN;
};

function messageTokens({ role, content }: LanguageModelV4Message): number {
	return role === "system" ? textTokens(content) : sum<AnyPart>(content, partTokens);
}

type AnyPart = AssistantPart | Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

function partTokens(part: AnyPart): number {
	switch (part.type) {
		case "text":
		case "reasoning":
			return textTokens(part.text);
		case "tool-call":
			return textTokens(part.toolName) + jsonTokens(part.input);
		case "tool-result":
			return textTokens(part.toolName) + outputTokens(part.output);
		case "file":
		case "reasoning-file":
			return fileTokens(part);
		default:
			return 0;
	}
}

function outputTokens(output: ToolResultPart["output"]): number {
	if (output.type === "text" || output.type === "error-text") return textTokens(output.value);
	return jsonTokens("value" in output ? output.value : output);
}

const jsonTokens = (value: unknown): number => textTokens(JSON.stringify(value) ?? "");

function fileTokens({ data, mediaType }: Pick<LanguageModelV4FilePart, "data" | "mediaType">): number {
	if (data.type === "text") return textTokens(data.text);
	if (data.type !== "data" || mediaType.startsWith("image")) return FILE_TOKENS;
	const bytes = typeof data.data === "string" ? (data.data.length * 3) / 4 : data.data.length;
	return mediaType.startsWith("text") ? bytes / CHARACTERS_PER_TOKEN : Math.max(FILE_TOKENS, bytes / BYTES_PER_TOKEN);
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
	return items.reduce((total, item) => total + count(item), 0);
}
