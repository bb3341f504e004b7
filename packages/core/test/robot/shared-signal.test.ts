import { getEventListeners } from "node:events";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { Robot } from "../../src/robot/robot.js";
import { retryPolicy } from "../../src/run/retry.js";
import { createTool } from "../../src/tool/create-tool.js";

const finish = (unified: string): object => ({ type: "finish", finishReason: { unified }, usage: {} });
const calls = Array.from({ length: 5 }, (_, index) => ({ type: "tool-call", toolCallId: `c${index}`, toolName: "wait", input: "{}" }));

/** Unlike the doubles it does not listen to the signal itself. */
const model = {
	specificationVersion: "v4",
	provider: "p",
	modelId: "m",
	supportedUrls: {},
	doStream: async ({ prompt }: LanguageModelV4CallOptions) => ({
		stream: ReadableStream.from(prompt.length === 1 ? [...calls, finish("tool-calls")] : [finish("stop")]),
	}),
} as unknown as LanguageModelV4;

it("Robot.run() puts one listener on a signal that many runs and calls share, and leaves none", async () => {
	const { signal } = new AbortController();
	const seen: number[] = [];
	const wait = createTool({
		name: "wait",
		description: "Waits.",
		parameters: { type: "object", properties: {} },
		execute: async () => {
			await new Promise((resolve) => setTimeout(resolve, 20));
			seen.push(getEventListeners(signal, "abort").length);
			return "ok";
		},
	});
	const robots = Array.from({ length: 12 }, () => new Robot({ name: "bob", model, localTools: [wait] }));
	const results = await Promise.all(robots.map((robot) => robot.run("Go", { signal })));
	expect(results.map(({ stopReason }) => stopReason)).toEqual(robots.map(() => "stop"));
	expect(seen).toHaveLength(60);
	expect(new Set(seen)).toEqual(new Set([1]));
	expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("retryPolicy() waits without a listener for each wait, and ends them all with the signal", async () => {
	const stop = new AbortController();
	const { sleep } = retryPolicy();
	const waits = Array.from({ length: 12 }, () => sleep(60_000, stop.signal));
	expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
	stop.abort();
	await Promise.all([...waits, sleep(60_000, stop.signal)]);
	expect(getEventListeners(stop.signal, "abort")).toEqual([]);
	await sleep(1, undefined);
});
