import type {
	LanguageModelV4File,
	LanguageModelV4FinishReason,
	LanguageModelV4ReasoningPart,
	LanguageModelV4StreamPart,
	LanguageModelV4TextPart,
	LanguageModelV4ToolCall,
	LanguageModelV4ToolResult,
	SharedV4ProviderMetadata,
	SharedV4Warning,
} from "@ai-sdk/provider";
import type { NewPart } from "../stream/part-writer.js";
import { parseToolInput } from "../tool/parse-tool-input.js";
import type { ReplyPart } from "./reply.js";
import { keepContent, type ReplyBlock, type ReplyIntake } from "./reply-intake.js";

/** Adds one stream part to the reply and publishes it. Throws what an error part carries. Parts this version does not know are left out. */
export function acceptPart(intake: ReplyIntake, part: LanguageModelV4StreamPart): void {
	const { reply } = intake;
	switch (part.type) {
		case "text-start":
			noteMetadata(textBlock(intake, part.id), part.providerMetadata);
			return;
		case "text-delta":
			acceptText(intake, noteMetadata(textBlock(intake, part.id), part.providerMetadata), part.delta);
			return;
		case "text-end":
			noteMetadata(textBlock(intake, part.id), part.providerMetadata).part.complete();
			return;
		case "reasoning-start":
			noteMetadata(reasoningBlock(intake, part.id), part.providerMetadata);
			return;
		case "reasoning-delta":
			noteMetadata(reasoningBlock(intake, part.id), part.providerMetadata).part.delta(textOf(part.delta));
			return;
		case "reasoning-end":
			noteMetadata(reasoningBlock(intake, part.id), part.providerMetadata).part.complete();
			return;
		case "tool-input-start":
			openInput(intake, part);
			return;
		case "tool-input-delta":
			intake.inputs.get(part.id)?.delta(textOf(part.delta));
			return;
		case "tool-call":
			acceptCall(intake, part);
			return;
		case "tool-result":
			if (!part.preliminary) acceptResult(intake, part);
			return;
		case "file":
			publishFile(intake, part);
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

/** Adds what came to a block. Some gateways send deltas that are no text: those are left out. */
export function acceptText({ ports }: ReplyIntake, block: ReplyBlock<LanguageModelV4TextPart>, delta: unknown): void {
	if (typeof delta !== "string") return;
	block.part.delta(delta);
	ports.onText?.(delta);
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

const textBlock = (intake: ReplyIntake, id: string): ReplyBlock<LanguageModelV4TextPart> =>
	block(intake, intake.text, id, { type: "text", text: "" });

const reasoningBlock = (intake: ReplyIntake, id: string): ReplyBlock<LanguageModelV4ReasoningPart> =>
	block(intake, intake.reasoning, id, { type: "reasoning", text: "" });

/** The block of an id. One that goes on after its end stays one block for the model and becomes a new part in the log. */
function block<Content extends ReplyPart & { readonly type: "text" | "reasoning" }>(
	{ reply, ports }: ReplyIntake,
	blocks: Map<string, ReplyBlock<Content>>,
	id: string,
	empty: Content,
): ReplyBlock<Content> {
	const known = blocks.get(id);
	if (known !== undefined) {
		if (known.part.isOpen) return known;
		keepContent(known);
		known.part = ports.run.part({ type: empty.type });
		return known;
	}
	const opened = { content: empty, part: ports.run.part({ type: empty.type }) };
	blocks.set(id, opened);
	reply.content.push(empty);
	return opened;
}

/** A provider recognises its own text and reasoning (a signature, an item id) by what it attached; the last of it counts. */
function noteMetadata<Content extends LanguageModelV4TextPart | LanguageModelV4ReasoningPart>(
	noted: ReplyBlock<Content>,
	metadata: SharedV4ProviderMetadata | undefined,
): ReplyBlock<Content> {
	if (metadata !== undefined) noted.content.providerOptions = metadata;
	return noted;
}

interface NamedCall {
	readonly toolName: unknown;
	readonly providerExecuted?: boolean | undefined;
}

function callFacts({ ports }: ReplyIntake, toolCallId: string, call: NamedCall): Omit<NewPart, "type"> & { readonly toolCallId: string } {
	const toolName = nameOf(call);
	const skill = ports.skillOf.get(toolName);
	return { toolCallId, toolName, ...(skill !== undefined && { skill }), ...(call.providerExecuted && { providerExecuted: true }) };
}

function openInput(intake: ReplyIntake, part: Extract<LanguageModelV4StreamPart, { type: "tool-input-start" }>): void {
	if (intake.inputs.has(part.id)) return;
	intake.inputs.set(part.id, intake.ports.run.part({ ...callFacts(intake, intake.ids.begin(part.id), part), type: "tool-call" }));
}

function acceptCall(intake: ReplyIntake, part: LanguageModelV4ToolCall): void {
	const { reply, ports, inputs } = intake;
	const toolCallId = intake.ids.complete(part.toolCallId, part.providerExecuted === true);
	const facts = callFacts(intake, toolCallId, part);
	const text = inputText(part.input);
	const args = parseToolInput(text);
	reply.content.push({
		type: "tool-call",
		toolCallId,
		toolName: nameOf(part),
		// providers take an object here and refuse the whole history otherwise
		input: args.ok && isObject(args.value) ? args.value : { invalid: part.input },
		...(part.providerExecuted && { providerExecuted: true }),
		...(part.providerMetadata && { providerOptions: part.providerMetadata }),
	});
	if (!part.providerExecuted) reply.calls.push({ id: toolCallId, name: nameOf(part), args });
	const streamed = inputs.get(part.toolCallId);
	const input = streamed ?? ports.run.part({ ...facts, type: "tool-call" });
	if (streamed === undefined) input.delta(text);
	inputs.delete(part.toolCallId);
	input.complete(args.ok ? { input: args.value } : {});
	ports.run.announceCall(facts);
}

/** What a call without a name is kept as, for the history needs one: the model is told that there is no such tool. */
const NAMELESS = "unnamed_tool";

function nameOf({ toolName }: { readonly toolName: unknown }): string {
	return typeof toolName === "string" && toolName !== "" ? toolName : NAMELESS;
}

const inputText = (input: unknown): string => (typeof input === "string" ? input : (JSON.stringify(input) ?? ""));

function acceptResult(intake: ReplyIntake, part: LanguageModelV4ToolResult): void {
	const toolCallId = intake.ids.answered(part.toolCallId);
	intake.reply.content.push({
		type: "tool-result",
		toolCallId,
		toolName: nameOf(part),
		output: { type: part.isError ? "error-json" : "json", value: part.result },
		...(part.providerMetadata && { providerOptions: part.providerMetadata }),
	});
	if (!intake.ports.run.awaitsOutput(toolCallId)) return;
	const facts = callFacts(intake, toolCallId, { toolName: part.toolName, providerExecuted: true });
	const output = intake.ports.run.part({ ...facts, type: "tool-output" });
	const ending = { result: resultText(part.result), rawOutput: part.result };
	if (part.isError) output.fail({ code: "tool_failed", message: ending.result }, ending);
	else output.complete(ending);
}

const resultText = (result: unknown): string => (typeof result === "string" ? result : (JSON.stringify(result) ?? ""));

/** A file that the model made. It is published and, as providers do not take their own back, no part of the history. */
function publishFile({ ports }: ReplyIntake, { mediaType, data }: LanguageModelV4File): void {
	const uri = data?.type === "url" ? String(data.url) : undefined;
	const part = ports.run.part({ type: "file", mediaType, ...(uri !== undefined && { uri }) });
	if (data?.type === "data") part.delta(typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64"));
	part.complete();
}

function warningText(warning: SharedV4Warning): string {
	if (warning.type === "other" || warning.type === "deprecated") return warning.message;
	return `The model does not take ${warning.feature} as asked (${warning.type})${warning.details ? `: ${warning.details}` : ""}.`;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
