import type { LanguageModelV4ReasoningPart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { PartWriter } from "../stream/part-writer.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { ReplyCallIds } from "./call-ids.js";
import { emptyReply, type Reply } from "./reply.js";
import type { RunPorts } from "./run-state.js";

/** A block of a reply that may still grow, and its part in the log. */
export interface ReplyBlock<Content> {
	/** What the model will be shown of it. Its text is that of the parts before the present one, until {@link keepContent}. */
	readonly content: Content;
	/** Where its text is while it grows. It is nowhere else: however long it is, a run holds it once. */
	part: PartWriter;
}

/** What one reply of the model is read into, and who is told of it meanwhile. Blocks and arguments by the id the provider gave them. */
export interface ReplyIntake {
	readonly reply: Reply;
	readonly ports: RunPorts;
	readonly ids: ReplyCallIds;
	readonly text: Map<string, ReplyBlock<LanguageModelV4TextPart>>;
	readonly reasoning: Map<string, ReplyBlock<LanguageModelV4ReasoningPart>>;
	readonly inputs: Map<string, PartWriter>;
}

export const newIntake = (ports: RunPorts): ReplyIntake => ({
	reply: emptyReply(),
	ports,
	ids: new ReplyCallIds(ports.callIds, ports.run.callIds),
	text: new Map(),
	reasoning: new Map(),
	inputs: new Map(),
});

/** Adds the text of a block's part to what the model will be shown. Once for each part. */
export function keepContent({ content, part }: ReplyBlock<{ text: string }>): void {
	content.text += part.content;
}

/** Whether any text has come. */
export const hasText = ({ text }: ReplyIntake): boolean =>
	[...text.values()].some(({ content, part }) => content.text !== "" || part.content !== "");

/**
 * Ends what the provider left open: whole where the reply is, else failed. Arguments whose call never came are no call. Only now has the
 * reply its text, block by block.
 */
export function closeIntake({ reply, ports, text, reasoning, inputs }: ReplyIntake, failure?: FailureFacts): void {
	for (const block of [...text.values(), ...reasoning.values()]) {
		if (failure === undefined) block.part.complete();
		else block.part.fail(failure);
		keepContent(block);
	}
	reply.text = Array.from(text.values(), ({ content }) => content.text).join("");
	for (const part of inputs.values()) part.fail(failure ?? CALL_NEVER_CAME);
	// calls of an answer that is not whole are not made
	if (failure !== undefined) ports.run.abandonCalls(callsIn(reply), failure);
}

const callsIn = ({ content }: Reply): string[] => content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));

const CALL_NEVER_CAME: FailureFacts = { code: "call_cut", message: "The model ended its answer before the call was whole." };
