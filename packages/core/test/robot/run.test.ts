import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InferenceError } from "../../src/errors/inference-error.js";
import { RobotResult } from "../../src/message/robot-result.js";
import { Robot } from "../../src/robot/robot.js";
import type { ContentChunk } from "../../src/robot/run-options.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

const add = createTool({
	name: "add",
	description: "Adds two numbers.",
	parameters: z.object({ a: z.number(), b: z.number() }),
	execute: ({ a, b }) => a + b,
});

function robotWith(rounds: ScriptedRound | readonly ScriptedRound[], options: object = {}): { robot: Robot; model: ScriptedModel } {
	const model = new ScriptedModel(rounds);
	return { robot: new Robot({ name: "bob", model, retries: { maxRetries: 2, sleep: async () => {} }, ...options }), model };
}

const callAdd = (a: unknown, b: unknown): ScriptedRound => ({ toolCalls: [{ name: "add", args: { a, b } }] });

describe("Robot.run()", () => {
	it("answers with the model's text and everything the result says", async () => {
		const { robot, model } = robotWith("Hello there.", { systemPrompt: "Be kind.", temperature: 0.5, maxTokens: 100, stop: ["END"] });
		const result = await robot.run("Hi");
		expect(result).toMatchObject({
			robotName: "bob",
			stopReason: "stop",
			lastTextContent: "Hello there.",
			toolCalls: [],
			inputTokens: 10,
			outputTokens: 5,
		});
		expect(result.id).toMatch(/^[0-9a-f-]{36}$/);
		expect(result.durationMs).toBeGreaterThan(0);
		expect(Date.now() - result.createdAt.getTime()).toBeLessThan(60_000);
		expect(model.calls).toEqual([
			{
				prompt: [
					{ role: "system", content: "Be kind." },
					{ role: "user", content: [{ type: "text", text: "Hi" }] },
				],
				temperature: 0.5,
				maxOutputTokens: 100,
				stopSequences: ["END"],
			},
		]);
	});

	it("remembers what was said and shows it to the next run", async () => {
		const { robot, model } = robotWith(["Nice to meet you.", "Your name is Ann."]);
		await robot.run("I am Ann.");
		await robot.run("Who am I?");
		expect(model.calls[1]?.prompt.map(({ role, content }) => [role, content])).toEqual([
			["user", [{ type: "text", text: "I am Ann." }]],
			["assistant", [{ type: "text", text: "Nice to meet you." }]],
			["user", [{ type: "text", text: "Who am I?" }]],
		]);
		expect(robot.messages.map((message) => message.type === "text" && message.content)).toEqual([
			"I am Ann.",
			"Nice to meet you.",
			"Who am I?",
			"Your name is Ann.",
		]);
		robot.clearMessages();
		expect(robot.messages).toEqual([]);
	});

	it("makes the calls the model asks for and answers with what comes of them", async () => {
		const { robot, model } = robotWith([{ text: "Adding.", toolCalls: [{ name: "add", args: { a: 1, b: 2 } }] }, "It is 3."], {
			localTools: [add],
		});
		const result = await robot.run("1 + 2?");
		expect(result.output).toEqual([
			{ type: "text", role: "assistant", content: "Adding." },
			{ type: "text", role: "assistant", content: "It is 3." },
		]);
		expect(result.toolCalls).toMatchObject([{ tool: { id: "call-1", name: "add", args: { a: 1, b: 2 } }, content: "3", isError: false }]);
		expect([result.inputTokens, result.outputTokens]).toEqual([20, 10]);
		expect(model.calls[0]?.tools).toMatchObject([
			{ type: "function", name: "add", description: "Adds two numbers.", inputSchema: { type: "object" } },
		]);
		expect(model.calls[1]?.prompt.slice(1)).toEqual([
			{
				role: "assistant",
				content: [
					{ type: "text", text: "Adding." },
					{ type: "tool-call", toolCallId: "call-1", toolName: "add", input: { a: 1, b: 2 } },
				],
			},
			{ role: "tool", content: [{ type: "tool-result", toolCallId: "call-1", toolName: "add", output: { type: "text", value: "3" } }] },
		]);
		expect(RobotResult.fromJSON(JSON.stringify(result))).toEqual(result);
	});

	it("runs the calls of one reply side by side and keeps their order in the answer", async () => {
		let running = 0;
		let most = 0;
		const slow = createTool({
			name: "slow",
			description: "Waits.",
			parameters: z.object({ ms: z.number() }),
			execute: async ({ ms }) => {
				most = Math.max(most, ++running);
				await new Promise((resolve) => setTimeout(resolve, ms));
				running--;
				return `waited ${ms}`;
			},
		});
		const toolCalls = [60, 5, 30].map((ms) => ({ name: "slow", args: { ms } }));
		const { robot } = robotWith([{ toolCalls }, "done"], { localTools: [slow] });
		expect((await robot.run("wait")).toolCalls.map(({ content }) => content)).toEqual(["waited 60", "waited 5", "waited 30"]);
		expect(most).toBe(3);
	});

	it("gives a tool's failure, an unknown tool, wrong arguments and broken JSON to the model as text", async () => {
		const broken = createTool({ name: "broken", description: "Fails.", execute: () => { throw new Error("no disk"); } }); // biome-ignore format: one line
		const { robot, model } = robotWith(
			[
				{
					toolCalls: [
						{ name: "broken" },
						{ name: "ad", args: {} },
						{ name: "add", args: { a: "one" } },
						{ name: "add", input: '{"a":1,' },
						{ name: "add", input: "[1,2]" },
						{ name: "add", args: { a: 1, b: 1 } },
					],
				},
				"I am sorry.",
			],
			{ localTools: [add, broken] },
		);
		const result = await robot.run("try");
		expect(result.stopReason).toBe("stop");
		expect(result.toolCalls.map(({ content, isError }) => [isError, content.slice(0, 45)])).toEqual(
			[
				[true, "Error (broken): no disk"],
				[true, 'Error (unknown tool): there is no tool "ad". A'],
				[true, expect.stringMatching(/^Error \(invalid arguments\): a: /)],
				[true, expect.stringMatching(/^Error \(invalid arguments\): not valid JSON/)],
				[true, expect.stringMatching(/^Error \(invalid arguments\): /)],
				[false, "2"],
			].map(([isError, content]) => [isError, typeof content === "string" ? content.slice(0, 45) : content]),
		);
		// providers refuse arguments in a history that are no object
		const [assistant] = model.calls[1]?.prompt.slice(1) ?? [];
		for (const part of (assistant?.content ?? []) as readonly object[]) expect(part).toHaveProperty("input", expect.any(Object));
		expect(assistant?.content[3]).toMatchObject({ input: { invalid: '{"a":1,' } });
	});

	it("ends with tool_limit when the model wants more rounds than allowed, every call with a result, and can go on afterwards", async () => {
		const { robot, model } = robotWith([callAdd(1, 1), callAdd(2, 2), callAdd(3, 3), "Right."], { localTools: [add], maxToolRounds: 2 });
		const result = await robot.run("loop");
		expect([result.stopReason, result.stopped]).toEqual(["tool_limit", false]);
		expect(result.toolCalls.map(({ content }) => content)).toEqual([
			"2",
			"4",
			"Error (not run): this run's limit of 2 rounds of tool calls is reached",
		]);
		expect((await robot.run("and now?")).lastTextContent).toBe("Right.");
		expectValidHistory(model.calls.at(-1)?.prompt ?? []);
	});

	it("allows no call at all with maxToolRounds 0", async () => {
		const { robot } = robotWith([callAdd(1, 1)], { localTools: [add], maxToolRounds: 0 });
		expect(await robot.run("x")).toMatchObject({ stopReason: "tool_limit", toolCalls: [{ isError: true }] });
	});

	it.each([
		["stop", "stop"],
		["length", "length"],
		["content-filter", "content_filter"],
		["error", "error"],
		["interrupted", "interrupted"],
		["other", "other"],
		["tool-calls", "other"],
		[null, "interrupted"],
	] as const)("reports the finish reason %j as %s", async (finishReason, stopReason) => {
		const { robot } = robotWith({ text: "partly", finishReason });
		expect(await robot.run("x")).toMatchObject({ stopReason, lastTextContent: "partly" });
	});

	it.each(["content-filter", "error", "interrupted", null] as const)(
		"makes no call of a reply that ended with %j and leaves none in the history",
		async (finishReason) => {
			const { robot, model } = robotWith([{ text: "so", toolCalls: [{ name: "add", args: { a: 1, b: 1 } }], finishReason }, "ok"], {
				localTools: [add],
			});
			expect((await robot.run("x")).toolCalls).toEqual([]);
			await robot.run("y");
			expectValidHistory(model.calls[1]?.prompt ?? []);
		},
	);

	it("makes the calls of a reply that says stop, as some servers do", async () => {
		const { robot } = robotWith([{ toolCalls: [{ name: "add", args: { a: 2, b: 2 } }], finishReason: "stop" }, "4"], { localTools: [add] });
		expect(await robot.run("x")).toMatchObject({ lastTextContent: "4", toolCalls: [{ content: "4" }] });
	});

	it("counts no tokens where the provider reports none", async () => {
		const { robot } = robotWith({ text: "x", usage: null });
		const result = await robot.run("x");
		expect([result.inputTokens, result.outputTokens]).toEqual([undefined, undefined]);
	});

	it("sends reasoning back with what the provider attached to it, and never as text", async () => {
		const parts = [
			{ type: "reasoning-start", id: "r" },
			{ type: "reasoning-delta", id: "r", delta: "think" },
			{ type: "reasoning-end", id: "r", providerMetadata: { p: { signature: "sig" } } },
			{ type: "text-start", id: "t", providerMetadata: { p: { item: "1" } } },
			{ type: "text-delta", id: "t", delta: "Adding." },
			{ type: "text-end", id: "t" },
			{ type: "tool-call", toolCallId: "c", toolName: "add", input: '{"a":1,"b":2}', providerMetadata: { p: { thought: "t" } } },
		] as const;
		const { robot, model } = robotWith([{ parts, finishReason: "tool-calls" }, "3"], { localTools: [add] });
		const result = await robot.run("x");
		expect(result.output.map((message) => message.type === "text" && message.content)).toEqual(["Adding.", "3"]);
		expect(model.calls[1]?.prompt[1]?.content).toEqual([
			{ type: "reasoning", text: "think", providerOptions: { p: { signature: "sig" } } },
			{ type: "text", text: "Adding.", providerOptions: { p: { item: "1" } } },
			{ type: "tool-call", toolCallId: "c", toolName: "add", input: { a: 1, b: 2 }, providerOptions: { p: { thought: "t" } } },
		]);
	});

	it("leaves the provider's own tools to the provider and keeps their results", async () => {
		const parts = [
			{ type: "tool-call", toolCallId: "s", toolName: "web_search", input: '{"q":"x"}', providerExecuted: true },
			{ type: "tool-result", toolCallId: "s", toolName: "web_search", result: { hits: 0 }, preliminary: true },
			{ type: "tool-result", toolCallId: "s", toolName: "web_search", result: { hits: 3 } },
		] as const;
		const { robot, model } = robotWith([{ parts, text: "Three." }, "ok"]);
		expect(await robot.run("x")).toMatchObject({ stopReason: "stop", toolCalls: [], lastTextContent: "Three." });
		await robot.run("y");
		expect(model.calls[1]?.prompt[1]?.content).toEqual([
			{ type: "text", text: "Three." },
			{ type: "tool-call", toolCallId: "s", toolName: "web_search", input: { q: "x" }, providerExecuted: true },
			{ type: "tool-result", toolCallId: "s", toolName: "web_search", output: { type: "json", value: { hits: 3 } } },
		]);
	});

	it("passes over stream parts it does not know", async () => {
		const parts = [{ type: "ping" }, { type: "raw", rawValue: 1 }, { type: "from-the-future", id: "x" }] as never;
		expect(await robotWith({ parts, text: "fine" }).robot.run("x")).toMatchObject({ lastTextContent: "fine", stopReason: "stop" });
	});

	it("drives a model of specification V3 with the same code", async () => {
		const inner = new ScriptedModel([callAdd(20, 22), "42"]);
		const v3 = {
			specificationVersion: "v3",
			provider: "old",
			modelId: "old",
			supportedUrls: {},
			doStream: inner.doStream.bind(inner),
			doGenerate: inner.doGenerate.bind(inner),
		};
		const robot = new Robot({ name: "bob", model: v3 as never, localTools: [add] });
		expect(await robot.run("x")).toMatchObject({ lastTextContent: "42", toolCalls: [{ content: "42" }] });
	});

	it("takes a message of 1 MB and hands it on whole", async () => {
		const { robot, model } = robotWith("read");
		const message = "x ".repeat(512 * 1024);
		expect(await robot.run(message)).toMatchObject({ stopReason: "stop" });
		expect(model.calls[0]?.prompt[0]?.content).toEqual([{ type: "text", text: message }]);
	});

	it.each([
		["", "an empty one"],
		[" \n", "an empty one"],
		[undefined, "undefined"],
		[5, "number"],
		[{ text: "hi" }, "object"],
	])("refuses the message %j", async (message, said) => {
		const { robot, model } = robotWith("x");
		await expect(robot.run(message as string)).rejects.toSatisfy(
			(error) => ConfigurationError.isInstance(error) && (error as Error).message.includes(said),
		);
		expect(model.calls).toEqual([]);
	});

	it("gives the model the tools a run selects", async () => {
		const other = createTool({ name: "other", description: "Other.", execute: () => "" });
		const { robot, model } = robotWith(["1", "2", "3", "4"], { localTools: [add, other] });
		await robot.run("x");
		await robot.run("x", { tools: "inherit" });
		await robot.run("x", { tools: "none" });
		await robot.run("x", { tools: ["other"] });
		expect(model.calls.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
			["add", "other"],
			["add", "other"],
			undefined,
			["other"],
		]);
		await expect(robot.run("x", { tools: ["othr"] })).rejects.toThrow('"othr", which this robot does not have. Did you mean "other"?');
	});

	it("keeps overlapping runs apart: each starts from what was there, each turn is added whole", async () => {
		const { robot } = robotWith([{ text: "slow answer", delayMs: 40 }, "quick answer", "third"]);
		await Promise.all([robot.run("first"), robot.run("second")]);
		expect(robot.messages.map((message) => message.type === "text" && message.content)).toEqual([
			"second",
			"quick answer",
			"first",
			"slow answer",
		]);
	});
});

describe("Robot.run() telling what happens", () => {
	it("calls the robot's onContent, then the run's, with every delta", async () => {
		const told: string[] = [];
		const { robot } = robotWith({ text: ["a", "b"] }, { onContent: ({ content }: ContentChunk) => told.push(`robot ${content}`) });
		await robot.run("x", { onContent: ({ content }) => told.push(`run ${content}`) });
		expect(told).toEqual(["robot a", "run a", "robot b", "run b"]);
	});

	it("tells events in order", async () => {
		const events: StreamEvent[] = [];
		const echo = createTool({
			name: "echo",
			description: "Echoes.",
			execute: (_, context) => {
				context.onLifecycle?.("command_start", { pid: 1 });
				context.onOutput?.("part", "stderr");
				return "echoed";
			},
		});
		const { robot } = robotWith([{ text: ["Hm"], toolCalls: [{ name: "echo" }] }, { text: ["Done"] }], { localTools: [echo] });
		robot.on("event", (event) => events.push(event));
		const result = await robot.run("x");
		const call = { toolCallId: "call-1", toolName: "echo" };
		expect(events.map(({ event, data }) => [event, data])).toMatchObject([
			["run.started", { name: "bob", input: "x", scope: "robot" }],
			["step.started", { name: "model", attempt: 1 }],
			["part.created", { type: "text" }],
			["text.delta", { delta: "Hm" }],
			["part.completed", { type: "text", finalContent: "Hm" }],
			["part.created", { type: "tool-call", ...call }],
			["tool_call.arguments.delta", { toolCallId: "call-1", delta: "{}" }],
			["part.completed", { type: "tool-call", ...call, finalContent: "{}", input: {} }],
			["step.completed", { finishReason: "tool-calls" }],
			["usage.updated", { usageScope: "call", usage: { promptTokens: 10, completionTokens: 5 } }],
			["part.created", { type: "tool-output", ...call }],
			["metadata.updated", { type: "lifecycle", toolCallId: "call-1", lifecycle: { reason: "command_start", detail: { pid: 1 } } }],
			["tool_call.output.delta", { toolCallId: "call-1", delta: "part", stream: "stderr" }],
			["part.completed", { type: "tool-output", ...call, finalContent: "part", result: "echoed", durationMs: expect.any(Number) }],
			["step.started", { name: "model", attempt: 1 }],
			["part.created", { type: "text" }],
			["text.delta", { delta: "Done" }],
			["part.completed", { type: "text", finalContent: "Done" }],
			["step.completed", { finishReason: "stop" }],
			["usage.updated", { usageScope: "call" }],
			["usage.updated", { usageScope: "run", usage: { promptTokens: 20, completionTokens: 10 } }],
			["run.completed", { name: "bob", stopReason: "stop", resultId: result.id }],
			["stream.ended", {}],
		]);
		expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual(events.map((_, index) => index + 1));
	});

	it("tells a provider's warnings", async () => {
		const parts: LanguageModelV4StreamPart[] = [
			{ type: "stream-start", warnings: [{ type: "unsupported", feature: "topK", details: "fixed" }] },
		];
		const { robot } = robotWith({ parts, text: "x" });
		const warnings: unknown[] = [];
		robot.on("event", ({ event, data }) => event === "metadata.updated" && warnings.push(data));
		await robot.run("x");
		expect(warnings).toMatchObject([
			{
				type: "warning",
				message: "The model does not take topK as asked (unsupported): fixed.",
			},
		]);
	});

	it.each(["onContent", "content", "event", "lifecycle"] as const)(
		"goes on when an async listener of %s rejects, and says so once",
		async (name) => {
			const warnings: string[] = [];
			const note = (warning: Error): void => void warnings.push(warning.message);
			process.on("warning", note);
			try {
				const { robot } = robotWith({ text: ["a", "b", "c"] });
				let calls = 0;
				const rejecting = async (): Promise<void> => {
					calls++;
					throw new Error("disk is gone");
				};
				if (name !== "onContent") robot.on(name, rejecting);
				const result = await robot.run("x", name === "onContent" ? { onContent: rejecting } : {});
				expect(result.lastTextContent).toBe("abc");
				await new Promise((resolve) => setTimeout(resolve, 10));
				expect(calls).toBeGreaterThan(1);
				expect(warnings.filter((warning) => warning.includes("disk is gone"))).toEqual([expect.stringContaining(name)]);
			} finally {
				process.off("warning", note);
			}
		},
	);

	it("goes on when a listener throws, and says so once", async () => {
		const warnings: string[] = [];
		const note = (warning: Error): void => void warnings.push(warning.message);
		process.on("warning", note);
		try {
			const { robot } = robotWith({ text: ["a", "b", "c"] });
			const result = await robot.run("x", { onContent: () => { throw new Error("screen is gone"); } }); // biome-ignore format: one line
			expect(result.lastTextContent).toBe("abc");
			await new Promise((resolve) => setImmediate(resolve));
			expect(warnings.filter((warning) => warning.includes("screen is gone"))).toEqual([expect.stringContaining("onContent")]);
		} finally {
			process.off("warning", note);
		}
	});
});

describe("Robot.stream()", () => {
	it("gives the events and the result of the same run", async () => {
		const { robot, model } = robotWith([callAdd(1, 2), { text: ["It ", "is 3."] }], { localTools: [add] });
		const stream = robot.stream("1 + 2?");
		const types: string[] = [];
		let text = "";
		for await (const event of stream) {
			types.push(event.event);
			if (event.event === "text.delta") text += event.data.delta;
		}
		expect(types).toEqual(stream.log.after(0).map(({ event }) => event));
		expect([types[0], ...types.slice(-2)]).toEqual(["run.started", "run.completed", "stream.ended"]);
		expect([text, (await stream.result).lastTextContent]).toEqual(["It is 3.", "It is 3."]);
		expect(model.calls.length).toBe(2);
	});

	it("has the turn in the history by the time it tells that it finished", async () => {
		const { robot } = robotWith("hello");
		let known = 0;
		robot.on("lifecycle", ({ reason }) => { if (reason === "run_complete") known = robot.messages.length; }); // biome-ignore format: one line
		await robot.run("x");
		expect(known).toBe(2);
	});

	it("runs to its end when only the result is awaited", async () => {
		expect((await robotWith("hello").robot.stream("x").result).lastTextContent).toBe("hello");
	});

	it("aborts the run when the iteration is left", async () => {
		const { robot } = robotWith({ text: ["one ", "two "], hang: true });
		const stream = robot.stream("x");
		for await (const event of stream) if (event.event === "text.delta") break;
		expect((await stream.result).stopReason).toBe("aborted");
	});

	it("throws from the iteration what the run failed with, without an unhandled rejection", async () => {
		const unhandled: unknown[] = [];
		const note = (reason: unknown): void => void unhandled.push(reason);
		process.on("unhandledRejection", note);
		try {
			const { robot } = robotWith(new Error("gone"));
			await expect(async () => {
				for await (const _ of robot.stream("x"));
			}).rejects.toSatisfy((error) => InferenceError.isInstance(error));
			await new Promise((resolve) => setTimeout(resolve, 20));
			expect(unhandled).toEqual([]);
		} finally {
			process.off("unhandledRejection", note);
		}
	});

	it("heeds the caller's signal too", async () => {
		const controller = new AbortController();
		const stream = robotWith({ text: "a", hang: true }).robot.stream("x", { signal: controller.signal });
		setTimeout(() => controller.abort(), 10);
		expect((await stream.result).stopReason).toBe("aborted");
	});
});
