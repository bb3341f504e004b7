import type {
	LanguageModelV4FinishReason,
	LanguageModelV4ReasoningPart,
	LanguageModelV4StreamPart,
	LanguageModelV4TextPart,
	LanguageModelV4ToolCall,
	LanguageModelV4ToolResult,
	SharedV4ProviderMetadata,
	SharedV4Warning,
} from "@ai-sdk/provider";
import { parseToolInput } from "../tool/parse-tool-input.js";
import type { Reply, ReplyPart } from "./reply.js";

/** The blocks of a reply that may still grow, by the id the provider gave them. */
export interface OpenBlocks {
	readonly text: Map<string, LanguageModelV4TextPart>;
	readonly reasoning: Map<string, LanguageModelV4ReasoningPart>;
}

/** Adds one stream part to the reply. Throws what an error part carries. Parts this version does not know are left out. */
export function acceptPart(reply: Reply, part: LanguageModelV4StreamPart, blocks: OpenBlocks, onText?: (delta: string) => void): void {
	switch (part.type) {
		case "text-start":
		case "text-end":
			noteMetadata(textBlock(reply, blocks, part.id), part.providerMetadata);
			return;
		case "text-delta":
			acceptText(reply, noteMetadata(textBlock(reply, blocks, part.id), part.providerMetadata), part.delta, onText);
			return;
		case "reasoning-start":
		case "reasoning-end":
			noteMetadata(reasoningBlock(reply, blocks, part.id), part.providerMetadata);
			return;
		case "reasoning-delta":
			noteMetadata(reasoningBlock(reply, blocks, part.id), part.providerMetadata).text += textOf(part.delta);
			return;
		case "tool-call":
			acceptCall(reply, part);
			return;
		case "tool-result":
			if (!part.preliminary) reply.content.push(providerResult(part));
			return;
		case "stream-start":
			reply.warnings.push(...(part.warnings ?? []).map(warningText));
			return;
		case "finish":
			reply.finishReason = knownReason(part.finishReason?.unified);
			reply.usage = part.usage;
			return;
		case "error":
			throw part.error;
	}
}

/** Adds what came to a block and to the whole text. Some gateways send deltas that are no text: those are left out. */
export function acceptText(reply: Reply, block: LanguageModelV4TextPart, delta: unknown, onText?: (delta: string) => void): void {
	if (typeof delta !== "string") return;
	block.text += delta;
	reply.text += delta;
	onText?.(delta);
}

const textOf = (delta: unknown): string => (typeof delta === "string" ? delta : "");

type FinishReason = LanguageModelV4FinishReason["unified"];

const FINISH_REASONS: Readonly<Record<FinishReason, true>> = {
	stop: true,
	length: true,
	"content-filter": true,
	"tool-calls": true,
	interrupted: true,
	error: true,
	other: true,
};

function knownReason(reason: FinishReason | undefined): FinishReason {
	return reason !== undefined && Object.hasOwn(FINISH_REASONS, reason) ? reason : "other";
}

function textBlock(reply: Reply, { text }: OpenBlocks, id: string): LanguageModelV4TextPart {
	return text.get(id) ?? open(reply, text, id, { type: "text", text: "" });
}

function reasoningBlock(reply: Reply, { reasoning }: OpenBlocks, id: string): LanguageModelV4ReasoningPart {
	return reasoning.get(id) ?? open(reply, reasoning, id, { type: "reasoning", text: "" });
}

function open<Part extends ReplyPart>(reply: Reply, blocks: Map<string, Part>, id: string, block: Part): Part {
	blocks.set(id, block);
	reply.content.push(block);
	return block;
}

/** A provider recognises its own text and reasoning (a signature, an item id) by what it attached; the last of it counts. */
function noteMetadata<Part extends ReplyPart>(part: Part, metadata: SharedV4ProviderMetadata | undefined): Part {
	if (metadata !== undefined) part.providerOptions = metadata;
	return part;
}

function acceptCall(reply: Reply, part: LanguageModelV4ToolCall): void {
	const toolName = nameOf(part);
	const args = parseToolInput(inputText(part.input));
	// providers take an object here and refuse the whole history otherwise
	const input = args.ok && isObject(args.value) ? args.value : { invalid: part.input };
	reply.content.push({
		type: "tool-call",
		toolCallId: part.toolCallId,
		toolName,
		input,
		...(part.providerExecuted && { providerExecuted: true }),
		...(part.providerMetadata && { providerOptions: part.providerMetadata }),
	});
	if (!part.providerExecuted) reply.calls.push({ id: part.toolCallId, name: toolName, args });
}

/** What a call without a name is kept as, for the history needs one: the model is told that there is no such tool. */
const NAMELESS = "unnamed_tool";

function nameOf({ toolName }: { readonly toolName: unknown }): string {
	return typeof toolName === "string" && toolName !== "" ? toolName : NAMELESS;
}

const inputText = (input: unknown): string => (typeof input === "string" ? input : (JSON.stringify(input) ?? ""));

function providerResult(part: LanguageModelV4ToolResult): ReplyPart {
	return {
		type: "tool-result",
		toolCallId: part.toolCallId,
		toolName: nameOf(part),
		output: { type: part.isError ? "error-json" : "json", value: part.result },
		...(part.providerMetadata && { providerOptions: part.providerMetadata }),
	};
}

function warningText(warning: SharedV4Warning): string {
	if (warning.type === "other" || warning.type === "deprecated") return warning.message;
	return `The model does not take ${warning.feature} as asked (${warning.type})${warning.details ? `: ${warning.details}` : ""}.`;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
