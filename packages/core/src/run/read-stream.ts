import type { LanguageModelV4StreamPart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { onAbort } from "../process/on-abort.js";
import { unlessAborted } from "../process/unless-aborted.js";
import { acceptPart, acceptText } from "./accept-part.js";
import type { ReplyBlock, ReplyIntake } from "./reply-intake.js";

/**
 * Reads a model's stream to its end, no faster than the readers that hold it up. An abort cancels the stream at once and leaves the
 * reply as far as it came; an error part or a broken stream is thrown, with the connection closed.
 */
export async function readStream(stream: ReadableStream<LanguageModelV4StreamPart>, intake: ReplyIntake): Promise<void> {
	const { reply } = intake;
	const { signal } = intake.ports;
	const reader = stream.getReader();
	const cancel = async (): Promise<void> => reader.cancel(signal?.reason);
	const cancelQuietly = (): void => void cancel().catch(() => {});
	const stopListening = signal && onAbort(signal, cancelQuietly);
	if (signal?.aborted) cancelQuietly();
	try {
		await readParts(reader, intake);
	} catch (error) {
		if (!signal?.aborted) {
			cancelQuietly();
			throw error;
		}
	} finally {
		stopListening?.();
	}
	reply.aborted = signal?.aborted === true && reply.finishReason === undefined;
}

async function readParts(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>, intake: ReplyIntake): Promise<void> {
	const { signal, run } = intake.ports;
	let open: ReplyBlock<LanguageModelV4TextPart> | undefined;
	let openId: string | undefined;
	const breathe = breather();
	for (;;) {
		const pause = breathe();
		if (pause !== undefined) await pause;
		const { room } = run.log;
		if (room !== undefined) await unlessAborted(room, signal);
		const { done, value: part } = await reader.read();
		if (done) return;
		// nearly every part is one of these: nothing is looked up or made for it
		if (part?.type === "text-delta" && part.id === openId && open?.part.isOpen && part.providerMetadata === undefined) {
			acceptText(intake, open, part.delta);
			continue;
		}
		acceptPart(intake, part);
		if (part?.type === "text-start" || part?.type === "text-delta") {
			openId = part.id;
			open = intake.text.get(part.id);
		}
	}
}

/** How many parts are read before the clock is asked, and how long nobody else in the process may wait. */
const PARTS_BETWEEN = 128;
const LONGEST_HOLD_MS = 20;

/** A model in the same process may give parts without end and never wait: timers, signals and whoever would abort the run must get their turn. */
function breather(): () => Promise<void> | undefined {
	let parts = 0;
	let since = performance.now();
	return () => {
		parts += 1;
		if (parts % PARTS_BETWEEN !== 0 || performance.now() - since < LONGEST_HOLD_MS) return undefined;
		return new Promise((resolve) =>
			setImmediate(() => {
				since = performance.now();
				resolve();
			}),
		);
	};
}
