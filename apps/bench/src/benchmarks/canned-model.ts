import type { Model } from "@robot-lab/core";

type ModelV4 = Extract<Model, { specificationVersion: "v4" }>;
type Stream = Awaited<ReturnType<ModelV4["doStream"]>>["stream"];
export type Part = Stream extends ReadableStream<infer Chunk> ? Chunk : never;

export const USAGE = {
	inputTokens: { total: 10, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
	outputTokens: { total: 5, text: undefined, reasoning: undefined },
};

/** A model that answers every request with a stream made for it. */
export const streamingModel = (stream: () => Stream): ModelV4 => ({
	specificationVersion: "v4",
	provider: "canned",
	modelId: "canned",
	supportedUrls: {},
	doGenerate: () => Promise.reject(new Error("only streams")),
	doStream: async () => ({ stream: stream() }),
});

/** A model without any latency of its own: it gives its replies in turn, over and over. */
export function cannedModel(replies: readonly (readonly Part[])[]): ModelV4 {
	let next = 0;
	return streamingModel(() => {
		const parts = replies[next++ % replies.length] ?? [];
		return new ReadableStream<Part>({
			start: (controller) => {
				for (const part of parts) controller.enqueue(part);
				controller.close();
			},
		});
	});
}

export const textReply = (deltas: number): Part[] => [
	{ type: "stream-start", warnings: [] },
	{ type: "text-start", id: "t" },
	...Array.from({ length: deltas }, (): Part => ({ type: "text-delta", id: "t", delta: "word " })),
	{ type: "text-end", id: "t" },
	{ type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: "stop" } },
];

export const callReply = (id: string, toolName: string, args: object): Part[] => [
	{ type: "stream-start", warnings: [] },
	{ type: "tool-call", toolCallId: id, toolName, input: JSON.stringify(args) },
	{ type: "finish", usage: USAGE, finishReason: { unified: "tool-calls", raw: "tool_calls" } },
];

/** What the least run works with. */
interface BareLoopOptions {
	readonly tools?: Readonly<Record<string, (args: never) => unknown>>;
	/** Each is called with every delta. */
	readonly listeners?: readonly ((delta: string) => void)[];
}

/** The least a run can be: read every part, keep the text, make the calls, ask again. No history, no events, no retries, no abort. */
export async function bareLoop(model: ModelV4, { tools = {}, listeners = [] }: BareLoopOptions = {}): Promise<string> {
	const prompt: Parameters<ModelV4["doStream"]>[0]["prompt"] = [{ role: "user", content: [{ type: "text", text: "go" }] }];
	for (;;) {
		let text = "";
		let calls = 0;
		const reader = (await model.doStream({ prompt })).stream.getReader();
		for (;;) {
			const { done, value: part } = await reader.read();
			if (done) break;
			if (part.type === "text-delta") {
				text += part.delta;
				for (const tell of listeners) tell(part.delta);
			}
			if (part.type !== "tool-call") continue;
			calls++;
			const { toolCallId, toolName } = part;
			const input = JSON.parse(part.input);
			const value = String(await tools[toolName]?.(input as never));
			prompt.push({ role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] });
			prompt.push({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }] });
		}
		if (calls === 0) return text;
	}
}
