import { Agent, type AgentTool, type StreamFn } from "@earendil-works/pi-agent-core";
import { type AssistantMessage, type AssistantMessageEventStream, createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { cannedModel } from "./canned-model.js";

type CannedModel = ReturnType<typeof cannedModel>;

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const MODEL = {
	id: "canned",
	name: "canned",
	api: "canned",
	provider: "canned",
	baseUrl: "",
	reasoning: false,
	input: ["text" as const],
	cost: NO_COST,
	contextWindow: 1_000_000,
	maxTokens: 100_000,
};

/** An agent of pi that asks a model in its own terms, with nothing in between: the least it can cost. */
export const piAgent = (deltas: number): Agent =>
	agentOn((stream, message) => {
		begin(stream, message);
		for (let i = 0; i < deltas; i++) addDelta(stream, message, "word ");
		end(stream, message);
	});

/** An agent of pi that asks the same model as everybody else, each part translated as it comes. */
export const piAgentOver = (model: CannedModel, tools: readonly AgentTool[] = []): Agent =>
	agentOn(async (stream, message) => {
		const reader = (await model.doStream({ prompt: [] })).stream.getReader();
		for (;;) {
			const { done, value: part } = await reader.read();
			if (done) return;
			if (part.type === "text-start") begin(stream, message);
			if (part.type === "text-delta") addDelta(stream, message, part.delta);
			if (part.type === "tool-call") addCall(stream, message, part.toolCallId, part.toolName, JSON.parse(part.input));
			if (part.type === "finish") end(stream, message);
		}
	}, tools);

function agentOn(
	answer: (stream: AssistantMessageEventStream, message: AssistantMessage) => void | Promise<void>,
	tools: readonly AgentTool[] = [],
): Agent {
	const streamFn: StreamFn = () => {
		const stream = createAssistantMessageEventStream();
		void answer(stream, emptyMessage());
		return stream;
	};
	return new Agent({ initialState: { systemPrompt: "", model: MODEL, tools: [...tools] }, streamFn });
}

/** As the providers of pi have it: one message that grows, and that every event refers to. */
function emptyMessage(): AssistantMessage {
	const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { ...NO_COST, total: 0 } };
	const { api, provider, id } = MODEL;
	return { role: "assistant", content: [], api, provider, model: id, usage, stopReason: "stop", timestamp: Date.now() };
}

function begin(stream: AssistantMessageEventStream, message: AssistantMessage): void {
	message.content.push({ type: "text", text: "" });
	stream.push({ type: "start", partial: message });
	stream.push({ type: "text_start", contentIndex: 0, partial: message });
}

function addDelta(stream: AssistantMessageEventStream, message: AssistantMessage, delta: string): void {
	const [text] = message.content;
	if (text?.type === "text") text.text += delta;
	stream.push({ type: "text_delta", contentIndex: 0, delta, partial: message });
}

function addCall(
	stream: AssistantMessageEventStream,
	message: AssistantMessage,
	id: string,
	name: string,
	args: Record<string, never>,
): void {
	const call = { type: "toolCall" as const, id, name, arguments: args };
	message.content.push(call);
	stream.push({ type: "start", partial: message });
	stream.push({ type: "toolcall_start", contentIndex: 0, partial: message });
	stream.push({ type: "toolcall_end", contentIndex: 0, toolCall: call, partial: message });
}

function end(stream: AssistantMessageEventStream, message: AssistantMessage): void {
	const [content] = message.content;
	if (content?.type === "text") stream.push({ type: "text_end", contentIndex: 0, content: content.text, partial: message });
	message.stopReason = content?.type === "toolCall" ? "toolUse" : "stop";
	stream.push({ type: "done", reason: message.stopReason, message });
}
