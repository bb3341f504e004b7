import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { onAbort } from "../process/on-abort.js";

type Parts = Iterable<LanguageModelV4StreamPart> | AsyncIterable<LanguageModelV4StreamPart>;

/** A stream of parts that is read no faster than it is asked for. An abort breaks it off with the signal's reason, whatever it waits for. */
export function partStream(parts: Parts, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
	const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
	let stopListening: (() => void) | undefined;
	return new ReadableStream({
		start: (controller) => {
			stopListening = signal && onAbort(signal, () => controller.error(signal.reason));
		},
		pull: async (controller) => {
			const { done, value } = await iterator.next();
			if (signal?.aborted) return;
			if (!done) return controller.enqueue(value);
			// the signal may be that of many runs
			stopListening?.();
			controller.close();
		},
		cancel: () => stopListening?.(),
	});
}
