import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { InferenceError } from "../../../src/errors/inference-error.js";
import { Robot } from "../../../src/robot/robot.js";
import { EventLog } from "../../../src/stream/event-log.js";
import type { StreamEvent } from "../../../src/stream/stream-event.js";
import { ScriptedModel } from "../../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../../src/testing/whole-log.js";
import { createTool } from "../../../src/tool/create-tool.js";
import { runTool } from "../../../src/tool/run-tool.js";
import type { Tool } from "../../../src/tool/tool.js";

const modelOf = (stream: () => ReadableStream<LanguageModelV4StreamPart>): LanguageModelV4 =>
	({ specificationVersion: "v4", provider: "p", modelId: "m", supportedUrls: {}, doStream: async () => ({ stream: stream() }) }) as never;

const partsOf = (...parts: readonly object[]): ReadableStream<LanguageModelV4StreamPart> => ReadableStream.from(parts) as never;

function watched(model: LanguageModelV4, options: object = {}): { robot: Robot; events: StreamEvent[] } {
	const robot = new Robot({ name: "bob", model, retries: { sleep: async () => {} }, ...options });
	const events: StreamEvent[] = [];
	robot.on("event", (event) => events.push(event));
	return { robot, events };
}

const trap = (...names: readonly string[]): object => {
	const error = new Error("trap");
	for (const name of names) {
		Object.defineProperty(error, name, { get: () => { throw new Error(`${name} is read`); } }); // biome-ignore format: one line
	}
	return error;
};

describe("a run whose model is hostile", () => {
	it.each([
		["isRetryable", trap("isRetryable")],
		["cause", trap("cause")],
		["message", trap("message")],
		["statusCode", trap("statusCode")],
		["everything", Proxy.revocable({}, {}).proxy],
	])("fails with an InferenceError when its error throws as its %s is read", async (name, error) => {
		if (name === "everything") {
			const { proxy, revoke } = Proxy.revocable({}, {});
			revoke();
			error = proxy;
		}
		const { robot, events } = watched(modelOf(() => partsOf({ type: "error", error })));
		await expect(robot.run("x")).rejects.toSatisfy((reason) => InferenceError.isInstance(reason));
		assertWholeLog(events);
	});

	it("is aborted, not failed, by an abort whose reason throws when it is read", async () => {
		const { robot, events } = watched(new ScriptedModel({ text: "x", hang: true }));
		const controller = new AbortController();
		robot.on("content", () => controller.abort(trap("name")));
		expect((await robot.run("x", { signal: controller.signal })).stopReason).toBe("aborted");
		expect(events.at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "user_cancellation" } });
	});

	it("leaves timers and aborts their turn although the model never waits", async () => {
		let given = 0;
		const endless = function* (): Generator<object> {
			yield { type: "text-start", id: "t" };
			for (;;) yield { type: "text-delta", id: "t", delta: `${given++} ` };
		};
		const { robot, events } = watched(modelOf(() => ReadableStream.from(endless()) as never));
		// without a turn for timers this would never come back
		const result = await robot.run("x", { signal: AbortSignal.timeout(50) });
		expect(result.stopReason).toBe("aborted");
		expect(given).toBeGreaterThan(0);
		expect(events.at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "timeout" } });
	});

	it.each([
		["text", { inputTokens: { total: "12" }, outputTokens: { total: "3" } }],
		["null", { inputTokens: { total: null }, outputTokens: { total: null } }],
		["NaN and less than nothing", { inputTokens: { total: Number.NaN }, outputTokens: { total: -1 } }],
		["BigInts", { inputTokens: { total: 12n }, outputTokens: { total: 3n } }],
		["nothing it should", "many"],
	])("has no counters where the provider reports %s", async (_, usage) => {
		const { robot, events } = watched(
			modelOf(() => partsOf({ type: "text-delta", id: "t", delta: "x" }, { type: "finish", finishReason: { unified: "stop" }, usage })),
		);
		expect(await robot.run("x")).toMatchObject({ inputTokens: undefined, outputTokens: undefined });
		expect(events.some(({ event }) => event === "usage.updated")).toBe(false);
		assertWholeLog(events);
	});

	it("has whole events although a stream's cancel() throws", async () => {
		const stream = (): ReadableStream<LanguageModelV4StreamPart> => {
			const inner = partsOf({ type: "error", error: new Error("the first error") });
			const reader = inner.getReader();
			return { getReader: () => ({ read: () => reader.read(), cancel: () => { throw new Error("cancel"); } }) } as never; // biome-ignore format: one line
		};
		const { robot, events } = watched(modelOf(stream));
		await expect(robot.run("x")).rejects.toThrow("the first error");
		assertWholeLog(events);
	});
});

describe("a tool that is hostile", () => {
	const called = async (execute: Parameters<typeof createTool>[0]["execute"]): Promise<StreamEvent[]> => {
		const hostile = createTool({ name: "hostile", description: "Hostile.", execute });
		const { robot, events } = watched(new ScriptedModel([{ toolCalls: [{ name: "hostile" }] }, "ok"]), { localTools: [hostile] });
		await robot.run("x");
		assertWholeLog(events);
		return events;
	};

	it("cannot put words of its own into the end of a part, nor pieces that are no text into it", async () => {
		const events = await called((_, { run }) => {
			const part = run?.part({ type: "text" });
			part?.delta(42 as never);
			part?.delta("said");
			part?.complete({ finalContent: "never said", partId: "other", type: "tool-output", toolCallId: "x" } as never);
			return "";
		});
		const end = events.find((event) => event.event === "part.completed" && event.data.type === "text");
		expect(end?.data).toMatchObject({ finalContent: "said" });
	});

	it("cannot begin a part that is another one when it is looked at again", async () => {
		let looks = 0;
		const events = await called((_, { run }) => {
			run?.part({ get type() { return looks++ === 0 ? "text" : "tool-output"; }, toolCallId: "x" } as never); // biome-ignore format: one line
			return "";
		});
		expect(events.filter((event) => event.event === "part.created" && event.data.type === "tool-output").length).toBe(1);
	});

	it("cannot end a run it began with anything but an end", async () => {
		const events = await called((_, { run }) => {
			const begun = run?.begin({ name: "mine", scope: "tool" });
			for (const event of ["banana", "stream.ended", "run.started", undefined])
				expect(() => begun?.end({ event } as never)).toThrow("A run cannot end with");
			begun?.end({ event: "run.completed" });
			return "";
		});
		expect(events.filter(({ event }) => event === "run.completed").length).toBe(2);
	});

	it("may print what is no text, or to no stream: that is not output", async () => {
		const events = await called((_, { onOutput }) => {
			onOutput?.(5 as never, "stdout");
			onOutput?.("to nowhere", "stdnowhere" as never);
			(onOutput as (chunk: string) => void)("to stdout");
			return "";
		});
		expect(events.flatMap(({ event, data }) => (event === "tool_call.output.delta" ? [[data.delta, data.stream]] : []))).toEqual([
			["to stdout", "stdout"],
		]);
	});

	it("may publish under a name of its own what looks like a part or a step", async () => {
		const events = await called((_, { run }) => {
			run?.publish("plan.changed", { partId: "p", stepId: "s", delta: "x" });
			return "";
		});
		expect(events.some(({ event }) => (event as string) === "plan.changed")).toBe(true);
	});

	it.each([null, undefined, "text", { text: 5 }, []])("fails as a call that answers with %j", async (answer) => {
		const tool = { ...createTool({ name: "odd", description: "Odd.", execute: () => "" }), call: async () => answer } as unknown as Tool;
		const log = new EventLog();
		expect(await runTool(tool, {}, { log })).toMatchObject({ isError: true, text: expect.stringContaining("no outcome") });
		assertWholeLog(log.after(0));
	});
});
