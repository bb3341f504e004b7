import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { Robot } from "../../src/robot/robot.js";
import type { ContentChunk } from "../../src/robot/run-options.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

const echo = createTool({
	name: "echo",
	description: "Says it again.",
	parameters: { type: "object", properties: { text: { type: "string" } } },
	execute: async ({ text }: { text?: string }) => String(text),
});

const call = (text: string, more: object = {}): object => ({
	type: "tool-call",
	toolCallId: "c1",
	toolName: "echo",
	input: JSON.stringify({ text }),
	...more,
});
const say = (...deltas: unknown[]): object[] => deltas.map((delta) => ({ type: "text-delta", id: "t", delta }));
const finish = (unified: string): object => ({ type: "finish", finishReason: { unified, raw: unified }, usage: {} });

/** A robot on a model whose stream is exactly these parts, whatever they are. */
function robotOn(...rounds: readonly (readonly unknown[])[]): { robot: Robot; prompts: LanguageModelV4CallOptions["prompt"][] } {
	const prompts: LanguageModelV4CallOptions["prompt"][] = [];
	const model = {
		specificationVersion: "v4",
		provider: "odd",
		modelId: "odd",
		supportedUrls: {},
		doStream: async ({ prompt }: LanguageModelV4CallOptions) => ({ stream: ReadableStream.from(rounds[prompts.push(prompt) - 1] ?? []) }),
	} as unknown as LanguageModelV4;
	return { robot: new Robot({ name: "bob", model, localTools: [echo], retries: 0 }), prompts };
}

const callIdsIn = (prompt: LanguageModelV4CallOptions["prompt"] | undefined): string[] =>
	(prompt ?? []).flatMap(({ role, content }) =>
		role === "assistant" ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])) : [],
	);

function expectUniqueIds(prompt: LanguageModelV4CallOptions["prompt"] | undefined, count: number): void {
	expectValidHistory(prompt ?? []);
	expect(callIdsIn(prompt)).toHaveLength(count);
	expect(new Set(callIdsIn(prompt)).size).toBe(count);
}

const done = [...say("done"), finish("stop")];

describe("Robot.run() on a stream with odd parts", () => {
	it.each([undefined, null, "", 7])("tells the model of a call that is named %o, and goes on", async (toolName) => {
		const { robot, prompts } = robotOn([call("a", { toolName }), finish("tool-calls")], done, done);
		const result = await robot.run("Go");
		expect(result).toMatchObject({ stopReason: "stop", lastTextContent: "done" });
		expect(result.toolCalls).toMatchObject([{ isError: true, content: expect.stringMatching(/no tool "unnamed_tool".*Available: echo/) }]);
		await robot.run("Again");
		expectUniqueIds(prompts[2], 1);
	});

	it("gives a call without an id one, and takes arguments that are parsed or missing", async () => {
		const odd = [call("a", { toolCallId: undefined, input: { text: "x" } }), call("b", { toolCallId: undefined, input: undefined })];
		const { robot, prompts } = robotOn([...odd, finish("tool-calls")], done);
		expect((await robot.run("Go")).toolCalls.map(({ content }) => content)).toEqual(["x", "undefined"]);
		expectUniqueIds(prompts[1], 2);
		expect(callIdsIn(prompts[1])).toEqual([expect.stringMatching(/^call_/), expect.stringMatching(/^call_/)]);
	});

	it("parts calls that share an id within a reply, between rounds and between runs; the first keeps it", async () => {
		const { robot, prompts } = robotOn(
			[call("a"), call("b"), finish("tool-calls")],
			[call("c"), finish("tool-calls")],
			done,
			[call("d"), finish("tool-calls")],
			done,
		);
		const { toolCalls } = await robot.run("Go");
		expect(toolCalls.map(({ content }) => content)).toEqual(["a", "b", "c"]);
		await robot.run("Again");
		expectUniqueIds(prompts[4], 4);
		expect(callIdsIn(prompts[4])[0]).toBe("c1");
		expect(toolCalls.map(({ tool }) => tool.id)).toEqual(callIdsIn(prompts[2]));
	});

	it("parts calls that share an id in runs that overlap", async () => {
		const { robot, prompts } = robotOn([call("a"), finish("tool-calls")], [call("b"), finish("tool-calls")], done, done, done);
		await Promise.all([robot.run("One"), robot.run("Two")]);
		await robot.run("Three");
		expectUniqueIds(prompts[4], 2);
	});

	it("keeps the provider's own results with their calls when ids are renamed", async () => {
		const result = (value: string): object => ({ type: "tool-result", toolCallId: "c1", toolName: "search", result: value });
		const own = (text: string): object => call(text, { toolName: "search", providerExecuted: true });
		const { robot, prompts } = robotOn([own("a"), own("b"), result("A"), result("B"), ...done], done);
		await robot.run("Go");
		await robot.run("Again");
		expectUniqueIds(prompts[1], 2);
	});

	it("leaves out deltas that are no text", async () => {
		const { robot, prompts } = robotOn(
			[{ type: "reasoning-delta", id: "r", delta: undefined }, ...say("a", undefined, null, 3, "b"), finish("stop")],
			done,
		);
		const chunks: ContentChunk[] = [];
		expect((await robot.run("Go", { onContent: (chunk) => chunks.push(chunk) })).lastTextContent).toBe("ab");
		expect(chunks.map(({ content }) => content)).toEqual(["a", "b"]);
		await robot.run("Again");
		expect(JSON.stringify(prompts[1])).not.toContain("undefined");
	});

	it.each([null, undefined, 7, "text", true, [], {}])("passes over %o in the place of a part", async (junk) => {
		const { robot } = robotOn([junk, ...say("the "), junk, ...say("answer"), junk, finish("stop"), junk]);
		expect(await robot.run("Go")).toMatchObject({ stopReason: "stop", lastTextContent: "the answer" });
	});

	it.each([null, undefined, 7, "none", [], { inputTokens: null, outputTokens: 3, raw: 1 }])(
		"takes the usage %o for none",
		async (usage) => {
			const { robot } = robotOn([...say("the answer"), { ...finish("stop"), usage }]);
			const result = await robot.run("Go");
			expect([result.lastTextContent, result.inputTokens, robot.usage]).toEqual(["the answer", undefined, {}]);
		},
	);

	const file = (data: unknown): object => ({ type: "file", mediaType: "image/png", data });
	it.each([
		{ type: "stream-start", warnings: "many" },
		{ type: "stream-start", warnings: [null, 7] },
		{ type: "text-start", id: "t", providerMetadata: null },
		file(null),
		file({ type: "data" }),
		file({ type: "data", data: 7 }),
		file({ type: "url" }),
		{ type: "finish", finishReason: null },
		{ type: "tool-result" },
	])("loses no answer where it reads %o", async (odd) => {
		const { robot, prompts } = robotOn([odd, ...say("the answer"), finish("stop")], done);
		expect((await robot.run("Go")).lastTextContent).toBe("the answer");
		await robot.run("Again");
		expect(prompts[1]?.[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "the answer" }] });
	});

	const deep = (levels: number, inner = "1"): string => `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`;
	it.each([101, 20_000])("tells the model of arguments that are %i levels deep, and can send and write its history", async (levels) => {
		for (const input of [deep(levels), deep(levels, '{"__proto__":1}'), JSON.parse(deep(levels))]) {
			const { robot, prompts } = robotOn([call("a", { input }), finish("tool-calls")], done, done);
			const { toolCalls } = await robot.run("Go");
			expect(toolCalls).toMatchObject([{ isError: true, content: expect.stringMatching(/nested too deeply|not valid JSON/) }]);
			await robot.run("Again");
			expect(JSON.stringify(prompts[2]).length).toBeLessThan(5_000);
			expect(JSON.stringify(prompts[2])).toContain('"input":{"invalid":"');
			robot.replaceMessages(JSON.parse(JSON.stringify(robot.messages)));
		}
	});

	it("takes arguments that are 100 levels deep", async () => {
		const { robot } = robotOn([call("a", { input: deep(99, '{"text":"x"}') }), finish("tool-calls")], done);
		expect((await robot.run("Go")).toolCalls).toMatchObject([{ isError: false, content: "undefined" }]);
	});

	it("keeps of a provider's own result what can be written, and no half of a character", async () => {
		const results = [JSON.parse(deep(20_000)), { a: "\ud83d" }, undefined, 1n];
		const own = results.flatMap((result, index) => {
			const facts = { toolCallId: `p${index}`, toolName: "search" };
			return [call("a", { ...facts, providerExecuted: true }), { type: "tool-result", ...facts, result }];
		});
		const { robot, prompts } = robotOn([...own, ...done], done);
		await robot.run("Go");
		await robot.run("Again");
		expectUniqueIds(prompts[1], 4);
		expect(JSON.stringify(prompts[1])).toContain("nested too deep");
		expect(JSON.stringify(prompts[1])).toContain('"output":{"type":"json","value":{"a":"\ufffd"}}');
		expect(JSON.stringify(prompts[1])).toContain('"output":{"type":"json","value":null}');
	});

	it.each(["galaxy", "toString", 5, null])("ends with the stop reason other for the finish reason %o", async (reason) => {
		const { robot } = robotOn([...say("a"), finish(reason as string)]);
		expect((await robot.run("Go")).stopReason).toBe("other");
	});
});
