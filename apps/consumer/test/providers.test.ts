import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installed, outsideFolder, runFile, tarball } from "./packed.js";

const providers = [
	["anthropic/some-model", "@ai-sdk/anthropic"],
	["openai/some-model", "@ai-sdk/openai"],
	["google/some-model", "@ai-sdk/google"],
	["openai-compatible/org/some-model", "@ai-sdk/openai-compatible"],
] as const;

let folder: Awaited<ReturnType<typeof outsideFolder>>;
let server: Server;
let requests = 0;

/** Anthropic's wire format: the first request fails in the middle of its stream as an overloaded service does, the next one answers. */
const overloaded = [
	{
		type: "message_start",
		message: { id: "m", type: "message", role: "assistant", model: "x", content: [], usage: { input_tokens: 1, output_tokens: 0 } },
	},
	{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
];
const answer = [
	overloaded[0],
	{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
	{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
	{ type: "content_block_stop", index: 0 },
	{ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
	{ type: "message_stop" },
];

const variables = (): Record<string, string> => ({
	ANTHROPIC_API_KEY: "k",
	ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
	OPENAI_API_KEY: "k",
	GOOGLE_GENERATIVE_AI_API_KEY: "k",
	OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1",
});

beforeAll(async () => {
	server = createServer((_request, response) => {
		requests += 1;
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const event of requests === 1 ? overloaded : answer) response.write(`event: ${event?.type}\ndata: ${JSON.stringify(event)}\n\n`);
		response.end();
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	folder = await outsideFolder();
	await installed(folder.path, [tarball("@robot-lab/core")]);
}, 180_000);

afterAll(async () => {
	server.close();
	await folder[Symbol.asyncDispose]();
});

/** What comes of each model's name in the project as it is now, in one process. */
async function resolved(): Promise<Readonly<Record<string, unknown>>> {
	const source = `
		import { DependencyError, resolveModel } from "@robot-lab/core";
		const resolved = {};
		for (const id of ${JSON.stringify(providers.map(([id]) => id))}) {
			try {
				const { modelId, specificationVersion } = await resolveModel(id);
				resolved[id] = { modelId, specificationVersion };
			} catch (error) {
				resolved[id] = { dependency: DependencyError.isInstance(error) && error.dependency, message: error.message };
			}
		}
		console.log(JSON.stringify(resolved));`;
	const { stdout } = await runFile(folder.path, "resolved.mjs", source, variables());
	return JSON.parse(stdout);
}

describe("without the providers' packages", () => {
	let models: Readonly<Record<string, unknown>>;

	beforeAll(async () => {
		models = await resolved();
	});

	it.each(providers)("the model %s in a project outside the workspace names the package to install", (id, dependency) => {
		expect(models[id]).toEqual({ dependency, message: expect.stringContaining(`npm install ${dependency}`) });
	});
});

describe("with the providers' real packages", () => {
	let models: Readonly<Record<string, unknown>>;

	beforeAll(async () => {
		await installed(
			folder.path,
			providers.map(([, name]) => name),
		);
		models = await resolved();
	}, 180_000);

	it.each(providers)("%s resolves to a model of the provider specification", (id) => {
		expect(models[id]).toEqual({ modelId: id.slice(id.indexOf("/") + 1), specificationVersion: expect.stringMatching(/^v[34]$/) });
	});

	it("a robot asks again after an error in the middle of a stream, and answers", async () => {
		const { stdout } = await runFile(
			folder.path,
			"robot.mjs",
			`import { Robot } from "@robot-lab/core";
			 const robot = new Robot({ name: "r", model: "anthropic/some-model", retries: 1 });
			 const retries = [];
			 robot.on("event", ({ event, data }) => event === "step.failed" && data.retryInMs !== undefined && retries.push(data.error.message));
			 const result = await robot.run("hi");
			 console.log(JSON.stringify({ text: result.lastTextContent, retries }));`,
			variables(),
		);
		expect(JSON.parse(stdout)).toEqual({ text: "hello", retries: [expect.stringContaining("Overloaded")] });
		expect(requests).toBe(2);
	});
});
