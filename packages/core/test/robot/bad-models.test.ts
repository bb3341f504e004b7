import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { InferenceError } from "../../src/errors/inference-error.js";
import type { RobotResult } from "../../src/message/robot-result.js";
import { Robot } from "../../src/robot/robot.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

const double = createTool({
	name: "double",
	description: "Doubles a number.",
	parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
	execute: ({ n }: { n: number }) => String(n * 2),
});

const say = (delta: unknown): object => ({ type: "text-delta", id: "t", delta });
const think = (delta: string): object => ({ type: "reasoning-delta", id: "r", delta });
const finish = (unified: string): object => ({ type: "finish", finishReason: { unified, raw: unified }, usage: {} });
const call = (n: number, input = JSON.stringify({ n })): object => ({ type: "tool-call", toolCallId: `c${n}`, toolName: "double", input });
const begunCall = [
	{ type: "tool-input-start", id: "c", toolName: "double" },
	{ type: "tool-input-delta", id: "c", delta: '{"n":' },
];
const streamOf = (...parts: readonly unknown[]) => ({ stream: ReadableStream.from(parts) });
const unreadable = {
	get type(): string {
		throw new Error("the type is read");
	},
};

interface Setting {
	readonly robot: Robot;
	readonly prompts: LanguageModelV4CallOptions["prompt"][];
	readonly events: StreamEvent[];
}

/** A robot on a model whose n-th answer (from 0) is whatever this gives. */
function robotOn(answer: (n: number) => unknown, options: object = {}): Setting {
	const prompts: LanguageModelV4CallOptions["prompt"][] = [];
	const doStream = async ({ prompt }: LanguageModelV4CallOptions): Promise<unknown> => answer(prompts.push(prompt) - 1);
	const model = { specificationVersion: "v4", provider: "odd", modelId: "odd", supportedUrls: {}, doStream } as unknown as LanguageModelV4;
	const robot = new Robot({ name: "bob", model, localTools: [double], retries: 0, ...options });
	const events: StreamEvent[] = [];
	robot.on("event", (event) => events.push(event));
	return { robot, prompts, events };
}

/** The log is whole, and a next run is asked with a history that every provider takes, and answers. */
async function expectUsable({ robot, prompts, events }: Setting): Promise<void> {
	assertWholeLog(events);
	expect((await robot.run("And now?")).lastTextContent).toBe("fine");
	expectValidHistory(prompts.at(-1) ?? []);
	expect(JSON.stringify(prompts.at(-1))).toContain("And now?");
}

const FINE = [say("fine"), finish("stop")];

/** A model that gives these parts once and then is in order. */
const badOnce = (...parts: readonly unknown[]): Setting => robotOn((n) => streamOf(...(n === 0 ? parts : FINE)));

describe("a run on a model that never stops calling tools", () => {
	it("ends with tool_limit after 20 rounds, the calls of one more refused, and the next run goes on", async () => {
		let isReasonable = false;
		const setting = robotOn((n) => streamOf(...(isReasonable ? FINE : [call(n), finish("tool-calls")])));
		const { stopReason, toolCalls } = await setting.robot.run("Go");
		expect(stopReason).toBe("tool_limit");
		expect(toolCalls).toHaveLength(21);
		expect(toolCalls.filter(({ isError }) => isError)).toEqual([toolCalls[20]]);
		expect(toolCalls[19]?.content).toBe("38");
		isReasonable = true;
		await expectUsable(setting);
	});
});

describe("a run on a model that ends in the middle of a tool call", () => {
	it.each<[string, readonly unknown[], Partial<RobotResult>]>([
		["of a stream that was cut after text", [say("so"), ...begunCall], { stopReason: "interrupted", lastTextContent: "so" }],
		["although it says tool-calls", [...begunCall, finish("tool-calls")], { stopReason: "other", lastTextContent: undefined }],
		["by its limit of tokens", [say("so"), ...begunCall, finish("length")], { stopReason: "length", lastTextContent: "so" }],
		["after one that was whole, in a stream that was cut", [say("so"), call(1), ...begunCall], { stopReason: "interrupted" }],
	])("makes no call: %s", async (_, parts, expected) => {
		const setting = badOnce(...parts);
		const result = await setting.robot.run("Go");
		expect(result).toMatchObject({ ...expected, toolCalls: [] });
		const inputs = setting.events.filter(({ event, data }) => event === "part.failed" && data.type === "tool-call");
		expect(inputs).toHaveLength(1);
		await expectUsable(setting);
	});

	it("asks again where no text had come", async () => {
		const setting = robotOn((n) => streamOf(...(n === 0 ? begunCall : FINE)), { retries: { sleep: async () => {} } });
		expect((await setting.robot.run("Go")).lastTextContent).toBe("fine");
		expect(setting.prompts).toHaveLength(2);
		await expectUsable(setting);
	});

	it("makes the whole calls beside it, and tells the model of the half that it calls whole", async () => {
		const half = badOnce(call(1), ...begunCall, finish("tool-calls"));
		expect((await half.robot.run("Go")).toolCalls.map(({ content }) => content)).toEqual(["2"]);
		await expectUsable(half);
		const broken = badOnce(call(1, '{"n":'), finish("length"));
		const [told] = (await broken.robot.run("Go")).toolCalls;
		expect(told).toMatchObject({ isError: true, content: expect.stringContaining("not valid JSON") });
		await expectUsable(broken);
	});
});

describe("a run on a model that answers nothing", () => {
	it.each<[string, readonly unknown[], RobotResult["stopReason"]]>([
		["and says stop", [finish("stop")], "stop"],
		["and says tool-calls", [finish("tool-calls")], "other"],
		["but an empty text", [{ type: "text-start", id: "t" }, say(""), { type: "text-end", id: "t" }, finish("stop")], "stop"],
		["but its thoughts", [think("hm"), finish("stop")], "stop"],
	])("comes to a result without text: %s", async (_, parts, stopReason) => {
		const setting = badOnce(...parts);
		expect(await setting.robot.run("Go")).toMatchObject({ stopReason, output: [], toolCalls: [], lastTextContent: undefined });
		await expectUsable(setting);
	});

	it("keeps what its calls came to, when it says nothing of them", async () => {
		const rounds = [[call(1), finish("tool-calls")], [finish("stop")]];
		const setting = robotOn((n) => streamOf(...(rounds[n] ?? FINE)));
		expect(await setting.robot.run("Go")).toMatchObject({ stopReason: "stop", output: [], toolCalls: [{ content: "2" }] });
		await expectUsable(setting);
	});
});

describe("a run on a model that streams garbage", () => {
	it.each<[string, readonly unknown[]]>([
		["parts that are none", [null, 7, "part", undefined, {}, [], { type: "galaxy" }, { type: 3 }, say("a"), finish("stop")]],
		["deltas of nothing", [{ type: "tool-input-delta", id: "x", delta: "a" }, { type: "text-delta", delta: "a" }, finish("stop")]],
		[
			"the result of a call that there was not",
			[{ type: "tool-result", toolCallId: "x", toolName: "y", result: 1 }, say("a"), finish("stop")],
		],
		["a call of the provider's own that comes to nothing", [{ ...call(1), providerExecuted: true }, say("a"), finish("stop")]],
		["two ends", [say("a"), finish("length"), finish("stop")]],
		["text after its end", [finish("stop"), say("a")]],
		["an end of which nothing is known", [say("a"), { type: "finish", finishReason: "stop", usage: "many" }]],
	])("passes over %s", async (_, parts) => {
		const setting = badOnce(...parts);
		expect(await setting.robot.run("Go")).toMatchObject({ stopReason: expect.stringMatching(/^stop|other$/), lastTextContent: "a" });
		await expectUsable(setting);
	});

	it.each<[string, (n: number) => unknown]>([
		["a part that cannot be read", () => streamOf(say("a"), unreadable)],
		["no stream", () => ({})],
		["no answer", () => undefined],
		["a stream that is none", () => ({ stream: 5 })],
		["words for an error", () => Promise.reject("words")],
		["a stream that somebody else reads", () => { const { stream } = streamOf(...FINE); stream.getReader(); return { stream }; }], // biome-ignore format: one line
	])("fails with an InferenceError for %s", async (_, answer) => {
		const setting = robotOn((n) => (n === 0 ? answer(n) : streamOf(...FINE)));
		await expect(setting.robot.run("Go")).rejects.toSatisfy((error) => InferenceError.isInstance(error) && error.attempts === 1);
		expect(setting.robot.messages).toEqual([]);
		await expectUsable(setting);
	});
});
