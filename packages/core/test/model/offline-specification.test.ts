import { getEventListeners } from "node:events";
import type {
	LanguageModelV4CallOptions,
	LanguageModelV4FunctionTool,
	LanguageModelV4StreamPart,
	LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { offlineModel } from "../../src/model/offline-model.js";
import { Robot } from "../../src/robot/robot.js";
import { createTool } from "../../src/tool/create-tool.js";

globalThis.AI_SDK_LOG_WARNINGS = false; // the AI SDK prints what the specification has it be told

const NOTICE = /^offline: no language model was used/;

const user = (text: string): LanguageModelV4CallOptions["prompt"] => [{ role: "user", content: [{ type: "text", text }] }];

const copy: LanguageModelV4FunctionTool = {
	type: "function",
	name: "copy_file",
	description: "Copy a file",
	inputSchema: {
		type: "object",
		properties: { source: { type: "string" }, destination: { type: "string" } },
		required: ["source", "destination"],
	},
};
const dance: LanguageModelV4FunctionTool = {
	type: "function",
	name: "dance",
	description: "Dances a tango",
	inputSchema: { type: "object" },
};

const partsOf = async (options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamPart[]> => {
	const parts: LanguageModelV4StreamPart[] = [];
	for await (const part of (await offlineModel().doStream(options)).stream) parts.push(part);
	return parts;
};

const city = z.object({ city: z.string() });
const weather = tool({
	description: "Get the current weather in a city",
	inputSchema: city,
	execute: async ({ city }) => `clear in ${city}`,
});

describe("offlineModel() as a model of the specification", () => {
	it("leaves nothing behind on the signal of a call that is over, read or not", async () => {
		const { signal } = new AbortController();
		const options = { prompt: user("Hello"), abortSignal: signal };
		await partsOf(options);
		const { stream } = await offlineModel().doStream(options);
		expect(getEventListeners(signal, "abort")).toHaveLength(1);
		await stream.cancel();
		expect(getEventListeners(signal, "abort")).toEqual([]);
	});

	it("streams a call's arguments before the call, and reports no tokens as 0, not as unknown", async () => {
		const parts = await partsOf({ prompt: user("Copy a.txt to b.txt"), tools: [copy] });
		expect(parts.map(({ type }) => type)).toEqual([
			"stream-start",
			"response-metadata",
			"tool-input-start",
			"tool-input-delta",
			"tool-input-end",
			"tool-call",
			"finish",
		]);
		expect(parts.at(-1)).toMatchObject({
			finishReason: { unified: "tool-calls", raw: undefined },
			usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
		});
	});

	it("answers the same in generateText, in streamText and in a Robot", async () => {
		const prompt = "What is the weather in Oslo?";
		const request = { model: offlineModel(), prompt, tools: { weather }, stopWhen: stepCountIs(4) };
		const generated = await generateText(request);
		const streamed = streamText(request);
		await streamed.consumeStream();
		const ours = createTool({
			name: "weather",
			description: "Get the current weather in a city",
			parameters: city,
			execute: ({ city }) => `clear in ${city}`,
		});
		const run = await new Robot({ name: "bob", model: "offline", localTools: [ours] }).run(prompt);
		expect(generated.text).toMatch(/^offline: no language model was used; .*:\n\nclear in Oslo$/);
		expect([await streamed.text, run.lastTextContent]).toEqual([generated.text, generated.text]);
		expect(generated.steps).toHaveLength(2);
	});

	it("says once for each setting that it cannot heed it, and nothing of a seed, headers and options of providers", async () => {
		const heeded = { seed: 7, headers: { a: "b" }, providerOptions: { openai: {} }, reasoning: "none" } as const;
		expect((await offlineModel().doGenerate({ prompt: user("x"), ...heeded })).warnings).toEqual([]);
		const { warnings } = await offlineModel().doGenerate({
			prompt: [{ role: "user", content: [{ type: "file", mediaType: "image/png", data: { type: "data", data: "" } }] }],
			temperature: 0,
			maxOutputTokens: 1,
			stopSequences: ["."],
			topP: 1,
			topK: 1,
			presencePenalty: 0,
			frequencyPenalty: 0,
			reasoning: "high",
			responseFormat: { type: "json" },
			tools: [{ type: "provider", id: "p.search", name: "search", args: {} }],
		});
		expect(warnings.map((warning) => warning.type === "unsupported" && warning.feature).sort()).toEqual([
			"files",
			"frequencyPenalty",
			"maxOutputTokens",
			"presencePenalty",
			"provider-defined tool p.search",
			"reasoning",
			"responseFormat",
			"stopSequences",
			"temperature",
			"topK",
			"topP",
		]);
		expect((await partsOf({ prompt: user("x"), temperature: 0 }))[0]).toEqual({
			type: "stream-start",
			warnings: [{ type: "unsupported", feature: "temperature" }],
		});
	});

	it("makes up no structured output: the AI SDK says that there is none", async () => {
		const output = Output.object({ schema: city });
		const asked = generateText({ model: offlineModel(), prompt: "Where?", output }).then((result) => result.output);
		await expect(asked).rejects.toMatchObject({ text: expect.stringMatching(NOTICE) });
	});

	it("calls a tool that must be called, however little it fits, and the one that is named", async () => {
		const ask = async (options: object) =>
			(await offlineModel().doGenerate({ prompt: user("What is for lunch?"), tools: [dance, copy], ...options })).content;
		expect(await ask({})).toMatchObject([{ type: "text", text: expect.stringMatching(NOTICE) }]);
		expect(await ask({ toolChoice: { type: "required" } })).toMatchObject([{ type: "tool-call", toolName: "dance", input: "{}" }]);
		const unfilled = { prompt: user("Copy the file"), toolChoice: { type: "required" } };
		expect(await ask(unfilled)).toMatchObject([{ type: "tool-call", toolName: "dance" }]);
		const named = { prompt: user("Dance a tango from a.txt to b.txt"), toolChoice: { type: "tool", toolName: "copy_file" } };
		expect(await ask(named)).toMatchObject([{ type: "tool-call", toolName: "copy_file" }]);
	});

	it("says so where the message does not tell the arguments of a call that must be made", async () => {
		const toolChoice = { type: "tool", toolName: "copy_file" } as const;
		const { content, warnings } = await offlineModel().doGenerate({ prompt: user("Hello"), tools: [dance, copy], toolChoice });
		expect(content).toMatchObject([{ type: "text", text: expect.stringMatching(NOTICE) }]);
		expect(warnings).toMatchObject([{ type: "unsupported", feature: "toolChoice" }]);
	});

	it.each<[LanguageModelV4ToolResultOutput, RegExp]>([
		[{ type: "execution-denied", reason: "not today" }, /the tool "dance" was not allowed to run: not today$/],
		[{ type: "execution-denied" }, /the tool "dance" was not allowed to run\.$/],
		[{ type: "error-json", value: { code: 3 } }, /the tool "dance" failed:\n\n\{\n {2}"code": 3\n\}$/],
		[
			{
				type: "content",
				value: [
					{ type: "text", text: "a chart" },
					{ type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
				],
			},
			/gave:\n\na chart\n\[image\/png\]$/,
		],
	])("quotes the tool output %j", async (output, answer) => {
		const prompt = [
			...user("Dance"),
			{ role: "tool" as const, content: [{ type: "tool-result" as const, toolCallId: "1", toolName: "dance", output }] },
		];
		const { content } = await offlineModel().doGenerate({ prompt });
		expect(content).toMatchObject([{ text: expect.stringMatching(NOTICE) }]);
		expect(content).toMatchObject([{ text: expect.stringMatching(answer) }]);
	});

	it("answers the message where a tool message holds no result of a tool", async () => {
		const answered = { role: "tool", content: [{ type: "tool-approval-response", approvalId: "1", approved: true }] } as const;
		const { content } = await offlineModel().doGenerate({ prompt: [...user("Hello"), answered as never] });
		expect(content).toMatchObject([{ text: expect.stringMatching(NOTICE) }]);
	});

	it("needs no network: a file given by its address is not fetched", async () => {
		const data = new URL("http://127.0.0.1:9/never.png");
		const messages = [{ role: "user" as const, content: [{ type: "file" as const, mediaType: "image/png", data }] }];
		expect((await generateText({ model: offlineModel(), messages })).text).toMatch(NOTICE);
	});

	it("heeds an abort before it answers and in the middle of its answer", async () => {
		const reason = new Error("enough");
		const aborted = { prompt: user("x"), abortSignal: AbortSignal.abort(reason) };
		await expect(offlineModel().doGenerate(aborted)).rejects.toBe(reason);
		await expect(offlineModel().doStream(aborted)).rejects.toBe(reason);
		const controller = new AbortController();
		const { stream } = await offlineModel().doStream({ prompt: user("x"), abortSignal: controller.signal });
		const reader = stream.getReader();
		expect((await reader.read()).value?.type).toBe("stream-start");
		controller.abort(reason);
		await expect(reader.read()).rejects.toBe(reason);
	});
});
