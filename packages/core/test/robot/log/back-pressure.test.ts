import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { StreamError } from "../../../src/errors/stream-error.js";
import { Robot } from "../../../src/robot/robot.js";
import type { StreamEvent } from "../../../src/stream/stream-event.js";
import { ScriptedModel } from "../../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../../src/testing/scripted-reply.js";
import { assertWholeLog } from "../../../src/testing/whole-log.js";
import { createTool } from "../../../src/tool/create-tool.js";

const DELTAS = 500;

/** A model that says how many of its deltas were asked for. */
function countingModel(): { model: LanguageModelV4; pulled: () => number } {
	let pulled = 0;
	const parts = function* (): Generator<LanguageModelV4StreamPart> {
		yield { type: "text-start", id: "t" };
		while (pulled < DELTAS) yield { type: "text-delta", id: "t", delta: `${pulled++},` };
		yield { type: "text-end", id: "t" };
		yield { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: undefined as never };
	};
	const doStream = async () => ({ stream: ReadableStream.from(parts()) as ReadableStream<LanguageModelV4StreamPart> });
	return { model: { specificationVersion: "v4", provider: "p", modelId: "m", supportedUrls: {}, doStream } as never, pulled: () => pulled };
}

/** Until nothing more happens by itself. */
async function settle(): Promise<void> {
	for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}

const textOf = (events: readonly StreamEvent[]): string =>
	events.map((event) => (event.event === "text.delta" ? event.data.delta : "")).join("");
const WHOLE = Array.from({ length: DELTAS }, (_, index) => `${index},`).join("");

describe("robot.stream() to a reader who is slow", () => {
	it("block: the model is not read on until the reader has read, and nothing is merged", async () => {
		const { model, pulled } = countingModel();
		const stream = new Robot({ name: "bob", model }).stream("x", { overflow: "block", capacity: 8 });
		const reader = stream[Symbol.asyncIterator]();
		const read: StreamEvent[] = [(await reader.next()).value];
		await settle();
		const afterOne = pulled();
		expect(afterOne).toBeLessThan(20);
		for (let i = 0; i < 20; i++) read.push((await reader.next()).value);
		await settle();
		expect(pulled()).toBeGreaterThan(afterOne);
		expect(pulled()).toBeLessThan(60);
		for (let next = await reader.next(); !next.done; next = await reader.next()) read.push(next.value);
		assertWholeLog(read);
		expect(read.some(({ firstSequenceNumber }) => firstSequenceNumber !== undefined)).toBe(false);
		expect([textOf(read), (await stream.result).lastTextContent]).toEqual([WHOLE, WHOLE]);
	});

	it("block: a reader who leaves lets the run end as aborted, and one who never begins holds nothing up", async () => {
		const left = new Robot({ name: "bob", model: countingModel().model }).stream("x", { overflow: "block", capacity: 2 });
		for await (const event of left) if (event.event === "text.delta") break;
		expect((await left.result).stopReason).toBe("aborted");
		const unread = new Robot({ name: "bob", model: countingModel().model }).stream("x", { overflow: "block", capacity: 2 });
		expect((await unread.result).lastTextContent).toBe(WHOLE);
	});

	it("block: an abort ends a run that waits for its reader", async () => {
		const controller = new AbortController();
		const { model } = countingModel();
		const stream = new Robot({ name: "bob", model }).stream("x", { overflow: "block", capacity: 2, signal: controller.signal });
		await stream[Symbol.asyncIterator]().next();
		await settle();
		controller.abort();
		expect((await stream.result).stopReason).toBe("aborted");
	});

	it("block: a second reader of the log is waited for as well", async () => {
		const { model, pulled } = countingModel();
		const stream = new Robot({ name: "bob", model }).stream("x");
		const slow = stream.log.events({ overflow: "block", capacity: 4 });
		await slow.next();
		await settle();
		expect(pulled()).toBeLessThan(20);
		await slow.return();
		expect((await stream.result).lastTextContent).toBe(WHOLE);
	});

	it("ends at once for a reader who leaves while it waits, before its first event and in the middle of a model that is silent", async () => {
		const silent = (): Robot =>
			new Robot({ name: "bob", model: { ...countingModel().model, doStream: () => new Promise(() => {}) } as never });
		const before = silent().stream("x");
		await before[Symbol.asyncIterator]().return?.();
		expect((await before.result).stopReason).toBe("aborted");
		const waiting = silent().stream("x");
		const reader = waiting[Symbol.asyncIterator]();
		for (let i = 0; i < 2; i++) await reader.next();
		const next = reader.next();
		await settle();
		await reader.return?.();
		expect((await waiting.result).stopReason).toBe("aborted");
		expect(await next).toEqual({ done: true, value: undefined });
	});

	it("coalesce: a reader who begins when all is over gets the whole in few events, with their ranges", async () => {
		const stream = new Robot({ name: "bob", model: countingModel().model }).stream("x", { capacity: 8 });
		await stream.result;
		const read: StreamEvent[] = [];
		for await (const event of stream) read.push(event);
		assertWholeLog(read);
		expect(read.length).toBeLessThan(20);
		expect(textOf(read)).toBe(WHOLE);
	});

	it("error: the reader gets what waited and then the error, the run its end", async () => {
		const stream = new Robot({ name: "bob", model: countingModel().model }).stream("x", { overflow: "error", capacity: 8 });
		expect((await stream.result).lastTextContent).toBe(WHOLE);
		const read: StreamEvent[] = [];
		const reading = (async () => {
			for await (const event of stream) read.push(event);
		})();
		await expect(reading).rejects.toSatisfy((error) => StreamError.isInstance(error) && (error as StreamError).code === "stream_overflow");
		expect(read.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});

	it("error: a reader who is told so in the middle of the run does not end it", async () => {
		const stream = new Robot({ name: "bob", model: countingModel().model }).stream("x", { overflow: "error", capacity: 4 });
		const reading = (async () => {
			for await (const _ of stream) await settle();
		})();
		await expect(reading).rejects.toThrow("slower than the run");
		expect(await stream.result).toMatchObject({ stopReason: "stop", lastTextContent: WHOLE });
	});

	it("hands the limit of characters on to its reader, which never costs the run anything", async () => {
		const result = "x".repeat(50_000);
		const print = createTool({ name: "print", description: "Prints.", execute: () => result });
		const rounds: ScriptedRound[] = Array.from({ length: 10 }, () => ({ toolCalls: [{ name: "print" }] }));
		const model = new ScriptedModel([...rounds, "done"]);
		const robot = new Robot({ name: "bob", model, localTools: [print], doomLoopThreshold: Number.POSITIVE_INFINITY });
		const stream = robot.stream("x", { maxWaitingCharacters: 100_000 });
		expect(await stream.result).toMatchObject({ stopReason: "stop", lastTextContent: "done" });
		const reading = (async () => {
			for await (const _ of stream);
		})();
		await expect(reading).rejects.toSatisfy((error) => StreamError.isInstance(error) && (error as StreamError).code === "stream_overflow");
		assertWholeLog(stream.log.after(0));
	});
});
