import { type Part, streamingModel, USAGE } from "../benchmarks/canned-model.js";

/** Deltas between two looks at the memory: each begins with a collection, so that only what is held is counted. */
const LOOKS = 25;

/**
 * A model that makes each delta only when it is asked for it, so that nothing of the stream is held that nobody holds, and calls `look`
 * many times on the way. The deltas are unlike each other, as a provider's are.
 */
export function watchedModel(deltas: number, look: () => void): ReturnType<typeof streamingModel> {
	const every = Math.max(1, Math.floor(deltas / LOOKS));
	return streamingModel(() => {
		let made = -1;
		return new ReadableStream<Part>({
			pull: async (controller) => {
				if (made < 0) controller.enqueue({ type: "text-start", id: "t" });
				else if (made < deltas) controller.enqueue({ type: "text-delta", id: "t", delta: `word ${made}, ` });
				else {
					look();
					controller.enqueue({ type: "text-end", id: "t" });
					controller.enqueue({ type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: "stop" } });
					controller.close();
				}
				made++;
				if (made % every === 0) {
					look();
					// timers and other readers get their turn, as they do between the packets of a real provider
					await new Promise((resolve) => setImmediate(resolve));
				}
			},
		});
	});
}
