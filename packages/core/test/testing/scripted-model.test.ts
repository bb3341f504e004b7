import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedReply, ScriptedRound } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";

const PROMPT = [{ role: "user" as const, content: [{ type: "text" as const, text: "x" }] }];

const partsOf = async (model: ScriptedModel, options: object = {}): Promise<LanguageModelV4StreamPart[]> => {
	const { stream } = await model.doStream({ prompt: PROMPT, ...options });
	const parts: LanguageModelV4StreamPart[] = [];
	for await (const part of stream) parts.push(part);
	return parts;
};

const parameters = z.object({ a: z.number(), b: z.number() });
const sdkAdd = tool({ description: "Adds.", inputSchema: parameters, execute: async ({ a, b }) => String(a + b) });
const ourAdd = createTool({ name: "add", description: "Adds.", parameters, execute: ({ a, b }) => String(a + b) });
const callAdd = (...pairs: readonly (readonly [number, number])[]): ScriptedReply => ({
	reasoning: "sums",
	text: "Let me see. ",
	toolCalls: pairs.map(([a, b]) => ({ name: "add", args: { a, b } })),
	usage: { inputTokens: 20, outputTokens: 8, cachedTokens: 5, reasoningTokens: 3 },
});
const SUMS: readonly ScriptedRound[] = [callAdd([1, 2], [3, 4]), callAdd([3, 7]), { text: ["It is ", "10."] }];

describe("ScriptedModel, read by the AI SDK", () => {
	it("streams the arguments of a call piece by piece before the call", async () => {
		const reply: ScriptedReply = { toolCalls: [{ name: "add", id: "c", input: ['{"a":', '1,"b"', ":2}"] }] };
		const types = (await partsOf(new ScriptedModel(reply))).map(({ type }) => type);
		expect(types).toEqual([
			"stream-start",
			"response-metadata",
			"tool-input-start",
			"tool-input-delta",
			"tool-input-delta",
			"tool-input-delta",
			"tool-input-end",
			"tool-call",
			"finish",
		]);
		const heard: string[] = [];
		const result = streamText({ model: new ScriptedModel(reply), prompt: "x", tools: { add: { ...sdkAdd, execute: undefined } as never } });
		for await (const part of result.fullStream) if (part.type === "tool-input-delta") heard.push(part.delta);
		expect(heard.join("")).toBe('{"a":1,"b":2}');
		expect(await result.toolCalls).toMatchObject([{ toolCallId: "c", input: { a: 1, b: 2 } }]);
	});

	it("goes through the same steps in generateText, in streamText and in a Robot", async () => {
		const models = [new ScriptedModel(SUMS), new ScriptedModel(SUMS), new ScriptedModel(SUMS)] as const;
		const request = { prompt: "1 + 2, 3 + 4?", tools: { add: sdkAdd }, stopWhen: stepCountIs(5) };
		const generated = await generateText({ ...request, model: models[0] });
		const streamed = streamText({ ...request, model: models[1] });
		await streamed.consumeStream();
		const ours = await new Robot({ name: "bob", model: models[2], localTools: [ourAdd] }).run("1 + 2, 3 + 4?");

		expect([generated.text, await streamed.text, ours.lastTextContent]).toEqual(Array(3).fill("It is 10."));
		const results = (steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[]) =>
			steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
		expect(results(generated.steps)).toEqual(["3", "7", "10"]);
		expect(results(await streamed.steps)).toEqual(["3", "7", "10"]);
		expect(ours.toolCalls.map(({ content }) => content)).toEqual(["3", "7", "10"]);
		const [first, second] = [generated.totalUsage, await streamed.totalUsage];
		expect(first).toEqual(second);
		expect(first).toMatchObject({ inputTokens: 50, outputTokens: 21, inputTokenDetails: { cacheReadTokens: 10, noCacheTokens: 30 } });
		expect(first.outputTokenDetails).toMatchObject({ reasoningTokens: 6, textTokens: 10 });
		expect([ours.inputTokens, ours.outputTokens]).toEqual([50, 21]);
	});

	it("is asked the same by the AI SDK and by a Robot, step by step", async () => {
		const [theirs, ours] = [new ScriptedModel(SUMS), new ScriptedModel(SUMS)];
		await generateText({ model: theirs, instructions: "Count.", prompt: "x", tools: { add: sdkAdd }, stopWhen: stepCountIs(5) });
		await new Robot({ name: "bob", model: ours, systemPrompt: "Count.", localTools: [ourAdd] }).run("x");
		const asked = ({ calls }: ScriptedModel): unknown => JSON.parse(JSON.stringify(calls.map(({ prompt }) => prompt)));
		expect(ours.calls).toHaveLength(3);
		expect(asked(ours)).toEqual(asked(theirs));
	});

	it("gives structured output where the script is JSON", async () => {
		const output = Output.object({ schema: z.object({ city: z.string() }) });
		const model = new ScriptedModel([{ text: '{"city":"Oslo"}' }, { text: "no JSON" }]);
		expect((await generateText({ model, prompt: "x", output })).output).toEqual({ city: "Oslo" });
		expect(model.calls[0]?.responseFormat).toMatchObject({ type: "json", schema: { type: "object" } });
		await expect(generateText({ model, prompt: "x", output }).then((result) => result.output)).rejects.toThrow(/No object generated/);
	});

	it("fetches no file of a prompt: what was asked is what it keeps", async () => {
		const model = new ScriptedModel("seen");
		const data = new URL("http://127.0.0.1:9/never.png");
		await generateText({ model, messages: [{ role: "user", content: [{ type: "file", mediaType: "image/png", data }] }] });
		expect(model.calls[0]?.prompt[0]?.content).toMatchObject([{ type: "file", data: { type: "url", url: data } }]);
	});

	it("gives everything a provider may send, generated as streamed", async () => {
		const source = { type: "source", sourceType: "url", id: "s", url: "http://x/", title: "X" } as const;
		const parts: LanguageModelV4StreamPart[] = [
			source,
			{ type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
			{ type: "text-start", id: "1", providerMetadata: { p: { a: 1 } } },
			{ type: "reasoning-start", id: "1" },
			{ type: "text-delta", id: "1", delta: "cited" },
			{ type: "reasoning-delta", id: "1", delta: "why" },
			{ type: "text-end", id: "1", citations: [{ source }], providerMetadata: { p: { b: 2 } } },
			{ type: "reasoning-end", id: "1" },
			{ type: "tool-call", toolCallId: "own", toolName: "search", input: "{}", providerExecuted: true },
			{ type: "tool-result", toolCallId: "own", toolName: "search", result: "half", preliminary: true },
			{ type: "tool-result", toolCallId: "own", toolName: "search", result: "whole" },
			{ type: "custom", kind: "p.note" },
			{ type: "ping" },
			{ type: "raw", rawValue: {} },
			{ type: "response-metadata", id: "r-1", modelId: "m-1" },
		];
		const { content, response, warnings, finishReason } = await new ScriptedModel({ reasoning: "hm", parts }).doGenerate({
			prompt: PROMPT,
		});
		expect(content).toEqual([
			{ type: "reasoning", text: "hm" },
			source,
			parts[1],
			{ type: "text", text: "cited", citations: [{ source }], providerMetadata: { p: { b: 2 } } },
			{ type: "reasoning", text: "why" },
			parts[8],
			parts[10],
			parts[11],
		]);
		expect([response, warnings, finishReason]).toEqual([{ id: "r-1", modelId: "m-1" }, [], { unified: "stop", raw: "stop" }]);
	});

	it("says that a reply without an end was interrupted, generated as streamed", async () => {
		const cut = { text: "half", finishReason: null } as const;
		const { finishReason, usage } = await new ScriptedModel(cut).doGenerate({ prompt: PROMPT });
		expect([finishReason.unified, usage.inputTokens.total]).toEqual(["interrupted", undefined]);
		expect((await partsOf(new ScriptedModel(cut))).some(({ type }) => type === "finish")).toBe(false);
	});

	it("counts no tokens where the script reports none, and does not break the AI SDK", async () => {
		const { usage } = await generateText({ model: new ScriptedModel({ text: "x", usage: null }), prompt: "x" });
		expect([usage.inputTokens, usage.outputTokens]).toEqual([undefined, undefined]);
	});

	it("reads the same generated as streamed, whatever the script", async () => {
		const reply: fc.Arbitrary<ScriptedReply> = fc.record(
			{
				text: fc.oneof(fc.string(), fc.array(fc.string())),
				reasoning: fc.string(),
				toolCalls: fc.array(fc.record({ name: fc.constant("add"), args: fc.record({ a: fc.integer(), b: fc.integer() }) }), {
					maxLength: 3,
				}),
				finishReason: fc.constantFrom("stop", "length", "content-filter", "other"),
				usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
			},
			{ requiredKeys: [] },
		);
		const tools = { add: { ...sdkAdd, execute: undefined } as never };
		await fc.assert(
			fc.asyncProperty(reply, async (scripted) => {
				const generated = await generateText({ model: new ScriptedModel(scripted), prompt: "x", tools });
				const streamed = streamText({ model: new ScriptedModel(scripted), prompt: "x", tools });
				await streamed.consumeStream();
				expect(await streamed.text).toBe(generated.text);
				expect((await streamed.reasoningText) ?? "").toBe(generated.reasoningText ?? "");
				expect(await streamed.toolCalls).toEqual(generated.toolCalls);
				expect(await streamed.usage).toEqual(generated.usage);
				expect(await streamed.finishReason).toBe(generated.finishReason);
			}),
			{ numRuns: 60 },
		);
	});
});

describe("ScriptedModel and an abort", () => {
	const stopped = new Error("enough");

	it.each(["doStream", "doGenerate"] as const)("%s refuses a call that is aborted already, and keeps its round", async (call) => {
		const model = new ScriptedModel("later");
		await expect(model[call]({ prompt: PROMPT, abortSignal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
		expect((await model.doGenerate({ prompt: PROMPT })).content).toEqual([{ type: "text", text: "later" }]);
	});

	it.each<[string, ScriptedReply]>([
		["its wait", { text: "a", delayMs: 60_000 }],
		["a stream that hangs", { text: "a", hang: true }],
	])("ends %s with the reason, streamed and generated", async (_, reply) => {
		for (const ask of [partsOf, (model: ScriptedModel, options: object) => model.doGenerate({ prompt: PROMPT, ...options })]) {
			const controller = new AbortController();
			const answer = ask(new ScriptedModel(reply), { abortSignal: controller.signal });
			setImmediate(() => controller.abort(stopped));
			await expect(answer).rejects.toBe(stopped);
		}
	});

	it("ends a round that is still being decided once it is", async () => {
		const controller = new AbortController();
		const model = new ScriptedModel(async () => {
			controller.abort(stopped);
			return "too late";
		});
		await expect(model.doStream({ prompt: PROMPT, abortSignal: controller.signal })).rejects.toBe(stopped);
	});
});
