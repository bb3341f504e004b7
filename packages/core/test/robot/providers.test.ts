import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { InferenceError } from "../../src/errors/inference-error.js";
import type { Model } from "../../src/model/model.js";
import { resolveModel } from "../../src/model/resolve-model.js";
import { Robot } from "../../src/robot/robot.js";
import { createTool } from "../../src/tool/create-tool.js";
import { type Answer, body, DONE, event, type SseServer, sse, sseServer, status, text, toolCall } from "./sse-server.js";

const add = createTool({
	name: "add",
	description: "Adds two numbers.",
	parameters: z.object({ a: z.number(), b: z.number() }),
	execute: ({ a, b }) => a + b,
});

const modelOf = (server: SseServer): Model => createOpenAICompatible({ name: "local", baseURL: server.baseUrl, includeUsage: true })("m");

const robotOn = (server: SseServer, options: object = {}): Robot =>
	new Robot({ name: "bob", model: modelOf(server), localTools: [add], retries: { maxRetries: 2, baseDelayMs: 5 }, ...options });

const until = async (condition: () => boolean): Promise<void> => {
	for (let i = 0; i < 200 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** The robot, with why it asked again put into the list. */
function noting(robot: Robot, retries: string[]): Robot {
	robot.on(
		"event",
		(event) => event.event === "step.failed" && event.data.retryInMs !== undefined && retries.push(event.data.error.message),
	);
	return robot;
}

describe("a robot on a real provider package and a real HTTP stream", () => {
	it("is found by its name and answers", async () => {
		await using server = await sseServer([text("Hel", "lo.")]);
		const model = await resolveModel("openai-compatible/some/model", { environment: { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl } });
		const result = await new Robot({ name: "bob", model }).run("Hi");
		expect(result).toMatchObject({ lastTextContent: "Hello.", stopReason: "stop", inputTokens: 7, outputTokens: 3 });
		expect(server.requests[0]).toMatchObject({ model: "some/model", stream: true, messages: [{ role: "user", content: "Hi" }] });
	});

	it("calls a tool and sends its result back on the wire", async () => {
		await using server = await sseServer([toolCall("add", '{"a":', '1,"b"', ":2}"), text("3")]);
		const result = await robotOn(server, { systemPrompt: "Count." }).run("1 + 2?");
		expect(result).toMatchObject({
			lastTextContent: "3",
			toolCalls: [{ tool: { id: "call_abc", args: { a: 1, b: 2 } }, content: "3" }],
			inputTokens: 14,
		});
		expect(server.requests[0]).toMatchObject({ tools: [{ type: "function", function: { name: "add", parameters: { type: "object" } } }] });
		expect(server.requests[1]?.messages).toMatchObject([
			{ role: "system", content: "Count." },
			{ role: "user" },
			{ role: "assistant", tool_calls: [{ id: "call_abc", function: { name: "add" } }] },
			{ role: "tool", tool_call_id: "call_abc", content: "3" },
		]);
	});

	it("waits as a 429 asks and goes on", async () => {
		await using server = await sseServer([status(429, { "retry-after": "7" }), text("ok")]);
		const waits: number[] = [];
		const robot = robotOn(server, { retries: { sleep: async (ms: number) => void waits.push(ms) } });
		expect((await robot.run("x")).lastTextContent).toBe("ok");
		expect(waits).toEqual([7_000]);
	});

	it("fails with an InferenceError once the 500s outlast its retries", async () => {
		await using server = await sseServer([status(500), status(500), status(500), text("never")]);
		await expect(robotOn(server).run("x")).rejects.toSatisfy(
			(error) => InferenceError.isInstance(error) && /"local\.chat\/m" failed after 3 attempts: status 500/.test((error as Error).message),
		);
		expect(server.requests.length).toBe(3);
	});

	it("asks again when nothing listens and fails naming the connection", async () => {
		await using server = await sseServer([]);
		const model = modelOf(server);
		await server[Symbol.asyncDispose]();
		const retries: string[] = [];
		const run = noting(new Robot({ name: "bob", model, retries: { maxRetries: 1, baseDelayMs: 1 } }), retries).run("x");
		await expect(run).rejects.toSatisfy((error) => InferenceError.isInstance(error) && /after 2 attempts/.test((error as Error).message));
		expect(retries.length).toBe(1);
	});

	it("asks again when the connection drops before any text", async () => {
		await using server = await sseServer([(response) => void response.destroy(), text("ok")]);
		expect((await robotOn(server).run("x")).lastTextContent).toBe("ok");
		expect(server.requests.length).toBe(2);
	});

	it("asks again when the connection drops within the answer before any text", async () => {
		await using server = await sseServer([
			(response) => {
				sse(response).delta({ role: "assistant", content: "" });
				setTimeout(() => response.destroy(), 30);
			},
			text("ok"),
		]);
		expect((await robotOn(server).run("x")).lastTextContent).toBe("ok");
		expect(server.requests.length).toBe(2);
	});

	it("does not ask again when the connection drops after text, and does not pass the half for the whole", async () => {
		await using server = await sseServer([
			(response) => {
				sse(response).delta({ role: "assistant", content: "The answer is" });
				setTimeout(() => response.destroy(), 30);
			},
			text("never"),
		]);
		const heard: string[] = [];
		const run = robotOn(server).run("x", { onContent: ({ content }) => heard.push(content) });
		await expect(run).rejects.toSatisfy(
			(error) => InferenceError.isInstance(error) && /failed: .*\(terminated\)\.$/.test((error as Error).message),
		);
		expect(heard).toEqual(["The answer is"]);
		expect(server.requests.length).toBe(1);
	});

	it("asks again after a failure that the server tells within its stream, and tells of it in the server's words", async () => {
		const failing =
			(code: number): Answer =>
			(response) =>
				void response
					.writeHead(200, { "content-type": "text/event-stream" })
					.end(`data: ${JSON.stringify({ error: { message: "The engine is overloaded", type: "server_error", code } })}\n\n`);
		await using server = await sseServer([failing(503), text("ok"), failing(400)]);
		const retries: string[] = [];
		const robot = noting(robotOn(server), retries);
		const result = await robot.run("x");
		expect([result.lastTextContent, retries]).toEqual(["ok", ["The engine is overloaded"]]);
		const error = await robot.run("x").catch((reason: unknown) => reason);
		expect(error).toMatchObject({ message: 'The model "local.chat/m" failed: The engine is overloaded.', statusCode: 400 });
		expect(server.requests.length).toBe(3);
	});

	it("closes the connection when the run is aborted in the middle of the stream", async () => {
		await using server = await sseServer([(response) => sse(response).delta({ role: "assistant", content: "Once upon" })]);
		const controller = new AbortController();
		const result = await robotOn(server).run("x", { signal: controller.signal, onContent: () => controller.abort() });
		expect(result).toMatchObject({ stopReason: "aborted", lastTextContent: "Once upon" });
		await until(() => server.closedEarly() === 1);
		expect(server.closedEarly()).toBe(1);
	});

	it("closes the connection when the run is aborted before the server answers", async () => {
		await using server = await sseServer([() => {}]);
		const controller = new AbortController();
		const run = robotOn(server).run("x", { signal: controller.signal });
		await until(() => server.requests.length === 1);
		controller.abort();
		expect((await run).stopReason).toBe("aborted");
		await until(() => server.closedEarly() === 1);
		expect(server.closedEarly()).toBe(1);
	});

	it("fails at once on a 401 without the key in its message", async () => {
		await using server = await sseServer([status(401), text("never")]);
		const model = createOpenAICompatible({ name: "local", baseURL: server.baseUrl, apiKey: "sk-SECRET" })("m");
		const error = await new Robot({ name: "bob", model }).run("x").catch((reason: unknown) => reason as Error);
		expect(InferenceError.isInstance(error)).toBe(true);
		expect((error as Error).message).not.toContain("SECRET");
		expect(server.requests.length).toBe(1);
	});

	it("takes up its connections again for the requests of all its runs, but for one that was aborted", async () => {
		const rounds = Array.from({ length: 6 }, (_, round) => toolCall("add", `{"a":${round},"b":2}`));
		const hangs: Answer = (response) => sse(response).delta({ role: "assistant", content: "Once" });
		await using server = await sseServer([...rounds, text("3"), text("ok"), hangs, text("again")]);
		const robot = robotOn(server);
		await robot.run("1 + 2?");
		await robot.run("and?");
		// a request that follows at once may find the connection still busy with the end of the answer
		expect([server.requests.length, server.connections() <= 2]).toEqual([8, true]);
		const controller = new AbortController();
		await robot.run("x", { signal: controller.signal, onContent: () => controller.abort() });
		expect((await robot.run("y")).lastTextContent).toBe("again");
		await until(() => server.closedEarly() === 1);
		expect(server.closedEarly()).toBe(1);
	});

	it("puts calls together whose arguments come in turns", async () => {
		const begun = (index: number, id: string, pieces: string): object => ({
			index,
			id,
			type: "function",
			function: { name: "add", arguments: pieces },
		});
		const more = (index: number, pieces: string): string => event({ tool_calls: [{ index, function: { arguments: pieces } }] });
		await using server = await sseServer([
			body(
				event({ role: "assistant", tool_calls: [begun(0, "c", '{"a":'), begun(1, "d", '{"a":3')] }),
				more(1, ',"b":4}'),
				more(0, '1,"b":2}'),
				event({}, "tool_calls"),
				DONE,
			),
			text("3 and 7"),
		]);
		const { toolCalls } = await robotOn(server).run("x");
		// a call is whole, and stands in the reply, once its arguments are
		expect(toolCalls.map(({ tool, content }) => [tool.id, content]).sort()).toEqual([["c", "3"], ["d", "7"]]); // biome-ignore format: pairs
	});

	const cut = event({ content: " world" }).slice(0, 60);
	const hello = event({ role: "assistant", content: "Hello" });
	it.each<[string, Answer]>([
		["ends in the middle of a chunk", body(hello, cut)],
		["sends half a chunk and goes on", body(hello, cut, "\n\n", event({ content: "!" }, "stop"), DONE)],
		["sends what is no JSON", body(hello, "data: \0garbage\n\n")],
		["sends JSON of another kind", body('data: {"hello":1}\n\n', DONE)],
		["ends without a finish reason", body(hello, DONE)],
		[
			"ends in the middle of a call",
			body(hello, event({ tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "add", arguments: '{"a":' } }] })),
		],
		["refuses the request", status(400)],
		["tells of an error after text", body(hello, 'data: {"error":{"message":"gone","code":400}}\n\n')],
	])("fails with an InferenceError where the server %s, makes no call, and the next run goes on", async (_, answer) => {
		await using server = await sseServer([answer, text("fine")]);
		const robot = robotOn(server, { retries: 0 });
		const told: string[] = [];
		robot.on("event", ({ event: name }) => told.push(name));
		await expect(robot.run("x")).rejects.toSatisfy((error) => InferenceError.isInstance(error));
		expect([told.at(-2), told.at(-1)]).toEqual(["run.failed", "stream.ended"]);
		expect(told).not.toContain("tool_call.output.delta");
		expect((await robot.run("y")).lastTextContent).toBe("fine");
		expect(server.requests[1]?.messages).toEqual([{ role: "user", content: "y" }]);
	});
});

describe("a robot on a mock of the OpenAI server that is not ours", () => {
	const server = new LLMock({ port: 0, chunkSize: 4 });
	const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
	const sums = [
		{ name: "add", arguments: { a: 1, b: 2 }, id: "call_1" },
		{ name: "add", arguments: { a: 3, b: 4 }, id: "call_2" },
	];
	beforeAll(async () => {
		server
			.on({ hasToolResult: true }, { content: "3 and 7.", usage })
			.onMessage("hello", { content: "Hello to you, too.", usage })
			.onMessage("sums", { toolCalls: sums, usage })
			.on({ userMessage: "too much", sequenceIndex: 0 }, { error: { message: "Rate limit reached" }, status: 429, retryAfter: 7 })
			.onMessage("too much", { content: "Now." })
			.onMessage("wrong", { error: { message: "No such parameter" }, status: 400 })
			.onMessage("broken off", { content: "A long answer that never ends." }, { truncateAfterChunks: 3, latency: 5 });
		await server.start();
	});
	afterAll(() => server.stop());

	const model = (): Model => createOpenAICompatible({ name: "aimock", baseURL: `${server.url}/v1`, includeUsage: true })("m");
	const robot = (options: object = {}): Robot => new Robot({ name: "bob", model: model(), localTools: [add], retries: 0, ...options });
	const sent = (): readonly { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }[] =>
		server.getRequests().map(({ body }) => body as never);

	it("streams an answer and its usage", async () => {
		const heard: string[] = [];
		const result = await robot().run("hello", { onContent: ({ content }) => heard.push(content) });
		expect(heard.length).toBeGreaterThan(2);
		expect(result).toMatchObject({ lastTextContent: "Hello to you, too.", stopReason: "stop", inputTokens: 11, outputTokens: 5 });
	});

	it("makes the calls of one reply, whose arguments are streamed, and sends their results in order", async () => {
		const bob = robot();
		const arguments_: string[] = [];
		bob.on("event", ({ event: name, data }) => name === "tool_call.arguments.delta" && arguments_.push(data.delta));
		const result = await bob.run("sums");
		expect(arguments_.length).toBeGreaterThan(2);
		expect(result).toMatchObject({ lastTextContent: "3 and 7.", inputTokens: 22, toolCalls: [{ content: "3" }, { content: "7" }] });
		expect(sent().at(-1)?.messages).toMatchObject([
			{ role: "user" },
			{ role: "assistant", tool_calls: [{ id: "call_1" }, { id: "call_2" }] },
			{ role: "tool", tool_call_id: "call_1", content: "3" },
			{ role: "tool", tool_call_id: "call_2", content: "7" },
		]);
	});

	it("waits as a 429 asks, and fails at once on a 400", async () => {
		const waits: number[] = [];
		const retries = { sleep: async (ms: number) => void waits.push(ms) };
		expect((await robot({ retries }).run("too much")).lastTextContent).toBe("Now.");
		expect(waits).toEqual([7_000]);
		const message = 'The model "aimock.chat/m" failed: No such parameter.';
		await expect(robot({ retries }).run("wrong")).rejects.toMatchObject({ message, statusCode: 400, attempts: 1 });
	});

	it("does not pass an answer that breaks off for the whole", async () => {
		const heard: string[] = [];
		const run = robot().run("broken off", { onContent: ({ content }) => heard.push(content) });
		await expect(run).rejects.toSatisfy((error) => InferenceError.isInstance(error));
		expect(heard.join("")).toMatch(/^A lo/);
	});
});
