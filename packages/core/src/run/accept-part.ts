import type {
	LanguageModelV4File,
	LanguageModelV4FinishReason,
	LanguageModelV4ReasoningPart,
	LanguageModelV4StreamPart,
	LanguageModelV4TextPart,
	SharedV4ProviderMetadata,
	SharedV4Warning,
} from "@ai-sdk/provider";
import { isList, isRecord } from "../text/describe-value.js";
import { acceptCall, acceptResult, openInput } from "./accept-call.js";
import type { ReplyPart } from "./reply.js";
import { keepContent, type ReplyBlock, type ReplyIntake } from "./reply-intake.js";

/** Adds one stream part to the reply and publishes it. Throws what an error part carries. Parts this version does not know are left out. */
export function acceptPart(intake: ReplyIntake, part: LanguageModelV4StreamPart): void {
	const { reply } = intake;
	// some servers send nothing where a part should be
	switch (part?.type) {
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
			reply.warnings.push(...warningsOf(part.warnings));
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
	if (isRecord(metadata)) noted.content.providerOptions = metadata;
	return noted;
}

/** A file that the model made. It is published and, as providers do not take their own back, no part of the history. */
function publishFile({ ports }: ReplyIntake, { mediaType, data }: LanguageModelV4File): void {
	const uri = data?.type === "url" ? String(data.url) : undefined;
	const part = ports.run.part({ type: "file", mediaType, ...(uri !== undefined && { uri }) });
	const bytes: unknown = data?.type === "data" ? data.data : undefined;
	if (typeof bytes === "string") part.delta(bytes);
	else if (bytes instanceof Uint8Array) part.delta(Buffer.from(bytes).toString("base64"));
	part.complete();
}

/** The texts of a provider's warnings. What is no warning is passed over. */
const warningsOf = (warnings: unknown): readonly string[] =>
	isList(warnings) ? warnings.filter(isRecord).map((warning) => warningText(warning as unknown as SharedV4Warning)) : [];

function warningText(warning: SharedV4Warning): string {
	if (warning.type === "other" || warning.type === "deprecated") return warning.message;
	return `The model does not take ${warning.feature} as asked (${warning.type})${warning.details ? `: ${warning.details}` : ""}.`;
}
