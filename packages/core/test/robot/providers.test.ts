import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { InferenceError } from "../../src/errors/inference-error.js";
import type { Model } from "../../src/model/model.js";
import { resolveModel } from "../../src/model/resolve-model.js";
import { Robot } from "../../src/robot/robot.js";
import { createTool } from "../../src/tool/create-tool.js";
import { type Answer, type SseServer, sse, sseServer, status, text, toolCall } from "./sse-server.js";

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
});
