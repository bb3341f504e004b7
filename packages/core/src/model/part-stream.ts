import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

type Parts = Iterable<LanguageModelV4StreamPart> | AsyncIterable<LanguageModelV4StreamPart>;

/** A stream of parts that is read no faster than it is asked for. An abort breaks it off with the signal's reason, whatever it waits for. */
export function partStream(parts: Parts, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
	const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
	return new ReadableStream({
		start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true }),
		pull: async (controller) => {
			const { done, value } = await iterator.next();
			if (signal?.aborted) return;
			if (done) controller.close();
			else controller.enqueue(value);
		},
	});
}
