import type { LanguageModelV4StreamPart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { onAbort } from "../process/on-abort.js";
import { acceptPart, acceptText, type OpenBlocks } from "./accept-part.js";
import { emptyReply, type Reply } from "./reply.js";

/** Who is told of text while it arrives, and what ends the reading. */
export interface ReadOptions {
	readonly onText: ((delta: string) => void) | undefined;
	readonly signal: AbortSignal | undefined;
}

/**
 * Reads a model's stream to its end. An abort cancels the stream at once and gives the reply as far as it came; an error part or a
 * broken stream is thrown, with the connection closed.
 */
export async function readStream(stream: ReadableStream<LanguageModelV4StreamPart>, options: ReadOptions): Promise<Reply> {
	const reply = emptyReply();
	const { signal } = options;
	const reader = stream.getReader();
	const cancel = (): void => void reader.cancel(signal?.reason).catch(() => {});
	const stopListening = signal && onAbort(signal, cancel);
	if (signal?.aborted) cancel();
	try {
		await readParts(reader, reply, options.onText);
	} catch (error) {
		if (!signal?.aborted) {
			cancel();
			throw error;
		}
	} finally {
		stopListening?.();
	}
	reply.aborted = signal?.aborted === true && reply.finishReason === undefined;
	return reply;
}

async function readParts(
	reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
	reply: Reply,
	onText: ReadOptions["onText"],
): Promise<void> {
	const blocks: OpenBlocks = { text: new Map(), reasoning: new Map() };
	let open: LanguageModelV4TextPart | undefined;
	let openId: string | undefined;
	for (;;) {
		const { done, value: part } = await reader.read();
		if (done) return;
		// nearly every part is one of these: nothing is looked up or made for it
		if (part.type === "text-delta" && part.id === openId && open !== undefined && part.providerMetadata === undefined) {
			acceptText(reply, open, part.delta, onText);
			continue;
		}
		acceptPart(reply, part, blocks, onText);
		if (part.type === "text-start" || part.type === "text-delta") {
			openId = part.id;
			open = blocks.text.get(part.id);
		}
	}
}
