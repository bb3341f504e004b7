import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InferenceError } from "../../src/errors/inference-error.js";
import { Robot } from "../../src/robot/robot.js";
import type { RetryOptions } from "../../src/run/retry.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

const apiError = (statusCode: number, responseHeaders: Record<string, string> = {}): APICallError =>
	new APICallError({ message: `status ${statusCode}`, url: "http://x", requestBodyValues: {}, statusCode, responseHeaders });

const networkError = (code: string): Error =>
	new TypeError("fetch failed", { cause: Object.assign(new Error(`connect ${code}`), { code }) });

interface Setting {
	readonly robot: Robot;
	readonly model: ScriptedModel;
	readonly waits: number[];
	readonly events: StreamEvent[];
	run(message?: string, signal?: AbortSignal): ReturnType<Robot["run"]>;
}

function setting(rounds: readonly ScriptedRound[], retries: RetryOptions = {}, options: object = {}): Setting {
	const model = new ScriptedModel(rounds);
	const waits: number[] = [];
	const events: StreamEvent[] = [];
	const sleep = async (ms: number): Promise<void> => void waits.push(ms);
	const robot = new Robot({ name: "bob", model, retries: { sleep, random: () => 0.5, ...retries }, ...options });
	robot.on("event", (event) => events.push(event));
	const run = (message = "x", signal?: AbortSignal) => robot.run(message, signal && { signal });
	return { robot, model, waits, events, run };
}

async function inferenceErrorOf(run: Promise<unknown>): Promise<InferenceError> {
	const error: unknown = await run.then(
		() => new Error("the run did not fail"),
		(reason: unknown) => reason,
	);
	if (!InferenceError.isInstance(error)) throw error;
	return error;
}

describe("a run whose model fails", () => {
	it.each([
		["a 429", apiError(429)],
		["a 500", apiError(500)],
		["a refused connection", networkError("ECONNREFUSED")],
		["a reset connection", Object.assign(new Error("socket"), { code: "ECONNRESET" })],
		["a stream that ended before it began", { finishReason: null } satisfies ScriptedRound],
		["a stream the provider calls interrupted before any text", { finishReason: "interrupted" } satisfies ScriptedRound],
		["a stream that was cut after a call", { toolCalls: [{ name: "t" }], finishReason: null } satisfies ScriptedRound],
		["an error part before any text", { error: apiError(529) } satisfies ScriptedRound],
		[
			"a plain object that says so",
			{ error: { message: "Overloaded", type: "overloaded_error", isRetryable: true } } satisfies ScriptedRound,
		],
		["a plain object with a status", { error: { message: "busy", statusCode: 503 } } satisfies ScriptedRound],
		["a plain object whose code is a status", { error: { message: "busy", code: 429 } } satisfies ScriptedRound],
	])("asks again after %s and says so", async (_, failure) => {
		const { run, model, waits, events } = setting([failure, "fine"]);
		expect((await run()).lastTextContent).toBe("fine");
		expect([model.calls.length, waits]).toEqual([2, [375]]);
		expect(events.flatMap(({ event, data }) => (event.startsWith("step.") ? [[event, data]] : []))).toMatchObject([
			["step.started", { attempt: 1 }],
			["step.failed", { retryInMs: 375 }],
			["step.started", { attempt: 2 }],
			["step.completed", { finishReason: "stop" }],
		]);
	});

	it.each([
		["a 400", apiError(400)],
		["a 401", apiError(401)],
		["an error of its own", new Error("bug")],
	])("does not ask again after %s", async (_, failure) => {
		const { run, model, waits } = setting([failure, "never"]);
		const error = await inferenceErrorOf(run());
		expect(error.cause).toBe(failure);
		expect(error.message).toBe(`The model "scripted/scripted" failed: ${failure.message}.`);
		expect([model.calls.length, waits]).toEqual([1, []]);
	});

	it.each([
		[
			{ message: "Overloaded", statusCode: 529, isRetryable: false },
			{ statusCode: 529, isRetryable: false },
		],
		[
			{ message: "too long", type: "invalid_request_error", code: "400" },
			{ statusCode: 400, isRetryable: false },
		],
		[
			{ message: "odd", code: 7 },
			{ statusCode: undefined, isRetryable: false },
		],
	])("fails with the message, the status and the attempts of the plain object %j", async (failure, facts) => {
		const { run, waits } = setting([{ error: failure }, "never"]);
		const error = await inferenceErrorOf(run());
		expect(error.message).toBe(`The model "scripted/scripted" failed: ${failure.message}.`);
		expect(error).toMatchObject({ cause: failure, attempts: 1, ...facts });
		expect(waits).toEqual([]);
	});

	it("gives up after the retries it has, each wait twice as long, and keeps the last error", async () => {
		const last = apiError(503);
		const { run, model, waits } = setting([apiError(500), apiError(502), apiError(500), last], { maxRetries: 3, baseDelayMs: 100 });
		const error = await inferenceErrorOf(run());
		expect(error.message).toContain("failed after 4 attempts: status 503.");
		expect(error).toMatchObject({ cause: last, attempts: 4, statusCode: 503, isRetryable: true });
		expect(model.calls.length).toBe(4);
		expect(waits).toEqual([75, 150, 300]);
	});

	it("spreads its waits between half of and the whole step and bounds them", async () => {
		const low = setting([apiError(500), apiError(500), "ok"], { random: () => 0, baseDelayMs: 1_000, maxDelayMs: 1_500 });
		await low.run();
		expect(low.waits).toEqual([500, 750]);
		const high = setting([apiError(500), apiError(500), "ok"], { random: () => 1, baseDelayMs: 1_000, maxDelayMs: 1_500 });
		await high.run();
		expect(high.waits).toEqual([1_000, 1_500]);
	});

	it.each([
		[{ "retry-after": "7" }, 7_000],
		[{ "retry-after": "0" }, 0],
		[{ "retry-after-ms": "250", "retry-after": "9" }, 250],
		[{ "retry-after": "soon" }, 375],
		[{ "retry-after": "-5" }, 375],
		[{ "retry-after": "" }, 375],
		[{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
	])("waits as long as the server asks with %j", async (headers, wait) => {
		const { run, waits } = setting([apiError(429, headers), "ok"]);
		await run();
		expect(waits).toEqual([wait]);
	});

	it("reads Retry-After as a date", async () => {
		const { run, waits } = setting([apiError(429, { "retry-after": new Date(Date.now() + 5_000).toUTCString() }), "ok"]);
		await run();
		expect(waits[0]).toBeGreaterThan(2_000);
		expect(waits[0]).toBeLessThanOrEqual(5_000);
	});

	it("fails at once when the server asks for more time than a run waits", async () => {
		const { run, waits } = setting([apiError(429, { "retry-after": "3600" }), "never"]);
		await inferenceErrorOf(run());
		expect(waits).toEqual([]);
	});

	it("does not ask again once text has come, so that nobody hears it twice", async () => {
		const { run, model, events } = setting([{ text: ["half an ans"], error: apiError(500) }, "never"]);
		await inferenceErrorOf(run());
		expect(model.calls.length).toBe(1);
		expect(events.filter(({ event }) => event === "text.delta").length).toBe(1);
	});

	it("does not ask again then when nobody listens either: a listener must not change what comes of a run", async () => {
		const model = new ScriptedModel([{ text: ["half an ans"], error: apiError(500) }, "never"]);
		await inferenceErrorOf(new Robot({ name: "bob", model, retries: { sleep: async () => {} } }).run("x"));
		expect(model.calls.length).toBe(1);
	});

	it("asks no further with retries 0", async () => {
		const model = new ScriptedModel([apiError(500), "never"]);
		await inferenceErrorOf(new Robot({ name: "bob", model, retries: 0 }).run("x"));
		expect(model.calls.length).toBe(1);
	});

	it("forgets a message nobody answered, so that it may be sent again", async () => {
		const { robot, run, model } = setting([apiError(400), "answer"]);
		await inferenceErrorOf(run("question"));
		expect(robot.messages).toEqual([]);
		await run("question");
		expect(model.calls[1]?.prompt.length).toBe(1);
	});

	it("keeps the rounds it completed before the failure, because their calls were made", async () => {
		const note = createTool({ name: "note", description: "Notes.", execute: () => "noted" });
		const { robot, run, model } = setting([{ toolCalls: [{ name: "note" }] }, apiError(400), "ok"], {}, { localTools: [note] });
		await inferenceErrorOf(run("note it"));
		expect(robot.messages.map(({ type }) => type)).toEqual(["text", "tool_call", "tool_result"]);
		await run("and?");
		expectValidHistory(model.calls[2]?.prompt ?? []);
	});

	it("calls a missing key a matter of configuration and names the model", async () => {
		const { run } = setting([new LoadAPIKeyError({ message: "X_API_KEY is missing." })]);
		await expect(run()).rejects.toSatisfy(
			(error) =>
				ConfigurationError.isInstance(error) &&
				(error as Error).message === 'Cannot use the model "scripted/scripted": X_API_KEY is missing.',
		);
	});

	it("does not put more of an endless error message into its own than a person reads", async () => {
		const error = await inferenceErrorOf(setting([new Error("x".repeat(100_000))]).run());
		expect(error.message.length).toBeLessThan(2_200);
	});
});

describe("a run that is aborted", () => {
	it("asks nothing when it is aborted before it starts", async () => {
		const { run, model, robot } = setting(["never"]);
		expect(await run("x", AbortSignal.abort())).toMatchObject({ stopReason: "aborted", output: [], stopped: false });
		expect([model.calls.length, robot.messages.length]).toEqual([0, 0]);
	});

	it("keeps the text that came before the abort, in the result and in the history", async () => {
		const controller = new AbortController();
		const { robot, model } = setting([{ text: ["one ", "two "], hang: true }, "ok"]);
		const result = await robot.run("x", {
			signal: controller.signal,
			onContent: ({ content }) => content === "two " && controller.abort(),
		});
		expect(result).toMatchObject({ stopReason: "aborted", lastTextContent: "one two " });
		await robot.run("y");
		expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
		expectValidHistory(model.calls[1]?.prompt ?? []);
	});

	it("returns although the model ignores the signal, and closes its stream when it comes", async () => {
		let cancelled = false;
		let answer: (value: unknown) => void = () => {};
		const model = {
			specificationVersion: "v4",
			provider: "deaf",
			modelId: "deaf",
			supportedUrls: {},
			doStream: () => new Promise((resolve) => (answer = resolve)),
		};
		const controller = new AbortController();
		const run = new Robot({ name: "bob", model: model as never }).run("x", { signal: controller.signal });
		setTimeout(() => controller.abort(), 10);
		expect((await run).stopReason).toBe("aborted");
		answer({
			stream: new ReadableStream({
				cancel: () => {
					cancelled = true;
				},
			}),
		});
		await new Promise((resolve) => setTimeout(resolve, 10));
		expect(cancelled).toBe(true);
	});

	it("returns although the stream ignores the signal, and cancels it", async () => {
		let cancelled = false;
		const stream = new ReadableStream({
			start: (stream) => stream.enqueue({ type: "text-delta", id: "1", delta: "half" }),
			cancel: () => {
				cancelled = true;
				return new Promise(() => {});
			},
		});
		const model = { specificationVersion: "v4", provider: "deaf", modelId: "deaf", supportedUrls: {}, doStream: async () => ({ stream }) };
		const controller = new AbortController();
		const run = new Robot({ name: "bob", model: model as never }).run("x", {
			signal: controller.signal,
			onContent: () => controller.abort(),
		});
		expect(await run).toMatchObject({ stopReason: "aborted", lastTextContent: "half" });
		expect(cancelled).toBe(true);
	});

	it("returns from the wait before a retry, by the real clock and by a sleep that ignores the signal", async () => {
		for (const retries of [{ baseDelayMs: 60_000, maxDelayMs: 60_000 }, { sleep: () => new Promise(() => {}) }]) {
			const controller = new AbortController();
			const robot = new Robot({ name: "bob", model: new ScriptedModel([apiError(500)]), retries });
			robot.on("event", ({ event }) => event === "step.failed" && setTimeout(() => controller.abort(), 5));
			const run = robot.run("x", { signal: controller.signal });
			expect((await run).stopReason).toBe("aborted");
		}
	});

	it("returns from a tool that ignores the signal, every call with a result, and the next run goes on", async () => {
		const controller = new AbortController();
		const stuck = createTool({
			name: "stuck",
			description: "Never ends.",
			execute: () => {
				controller.abort();
				return new Promise(() => {});
			},
		});
		const { run, model } = setting([{ toolCalls: [{ name: "stuck" }, { name: "stuck" }] }, "ok"], {}, { localTools: [stuck] });
		const result = await run("x", controller.signal);
		expect(result.stopReason).toBe("aborted");
		expect(result.toolCalls.map(({ content }) => content)).toEqual([
			expect.stringContaining("aborted"),
			expect.stringContaining("aborted"),
		]);
		expect((await run("y")).lastTextContent).toBe("ok");
		expectValidHistory(model.calls[1]?.prompt ?? []);
	});

	it("tells the tool by its signal", async () => {
		const controller = new AbortController();
		const heard: unknown[] = [];
		const tool = createTool({
			name: "wait",
			description: "Waits.",
			execute: (_, { signal }) =>
				new Promise((resolve) => {
					signal?.addEventListener("abort", () => {
						heard.push(signal.reason);
						resolve("stopped half way");
					});
					controller.abort("enough");
				}),
		});
		const result = await setting([{ toolCalls: [{ name: "wait" }] }], {}, { localTools: [tool] }).run("x", controller.signal);
		expect([heard, result.toolCalls[0]?.content]).toEqual([["enough"], "stopped half way"]);
	});

	it("leaves no listener behind on a signal that outlives many runs", async () => {
		const { signal } = new AbortController();
		let added = 0;
		let listeners = 0;
		const add = signal.addEventListener.bind(signal);
		const remove = signal.removeEventListener.bind(signal);
		signal.addEventListener = (...args: Parameters<typeof add>) => {
			added++;
			listeners++;
			add(...args);
		};
		signal.removeEventListener = (...args: Parameters<typeof remove>) => {
			listeners--;
			remove(...args);
		};
		const tool = createTool({ name: "t", description: "T.", execute: () => "" });
		const { robot } = setting(
			Array.from({ length: 10 }, (_, i) => (i % 2 ? "ok" : { toolCalls: [{ name: "t" }] })),
			{},
			{ localTools: [tool] },
		);
		for (let i = 0; i < 5; i++) await robot.run("x", { signal });
		await new Promise((resolve) => setTimeout(resolve, 0));
		expect(added).toBeGreaterThan(0);
		expect(listeners).toBe(0);
	});
});
