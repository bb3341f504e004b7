import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Memory } from "../../src/memory/memory.js";
import { RobotResult } from "../../src/message/robot-result.js";

const result = (id: string): RobotResult =>
	new RobotResult({
		id,
		robotName: "bob",
		output: [{ type: "text", role: "assistant", content: `This is ${id}.` }],
		toolCalls: [],
		stopReason: "stop",
		createdAt: new Date(0),
		inputTokens: 3,
		durationMs: 5,
		delegatedBy: "alice",
	});

const message = { type: "text", role: "user", content: "Hello." } as const;

describe("The reserved keys of a Memory", () => {
	it("hold something to begin with, but for sessionId", () => {
		const memory = new Memory();
		expect([memory.data, memory.results, memory.messages, memory.sessionId]).toEqual([{}, [], [], undefined]);
		expect(["data", "results", "messages", "sessionId"].map((key) => memory.has(key))).toEqual([true, true, true, false]);
	});

	it("are read by name and by key", () => {
		const memory = new Memory();
		memory.merge({ data: { user: 1 }, messages: [message], sessionId: "s", results: [result("a").toJSON()] });
		expect([memory.data, memory.messages, memory.sessionId]).toEqual([memory.get("data"), memory.get("messages"), memory.get("sessionId")]);
		expect(memory.results).toEqual([result("a")]);
		expect(memory.get("results")).toEqual([result("a").toJSON()]);
	});

	it("are neither listed nor cleared, and reset() empties them", () => {
		const memory = new Memory();
		memory.merge({ a: 1, data: { b: 1 }, messages: [message], sessionId: "s" });
		memory.appendResult(result("a"));
		expect([memory.keys(), memory.entries()]).toEqual([["a"], [["a", 1]]]);
		memory.clear();
		expect([memory.keys(), memory.data, memory.results.length, memory.sessionId]).toEqual([[], { b: 1 }, 1, "s"]);
		memory.reset();
		expect(memory.toJSON()).toEqual(new Memory().toJSON());
	});

	it.each(["data", "results", "messages", "sessionId"] as const)("cannot be deleted: %s", (key) => {
		expect(() => new Memory().delete(key)).toThrow(`memory.delete(): "${key}" is reserved. Set it, or use reset()`);
	});

	it.each<[string, unknown, string]>([
		["data", [], "data must be a record, got a list"],
		["data", null, "data must be a record, got null"],
		["results", {}, "results must be a list of results, got an object"],
		["results", [{ id: 1 }], "Cannot read a RobotResult: id must be a string"],
		["results", [1], "Cannot read a RobotResult: the result must be an object"],
		["messages", "hello", 'messages must be a list of messages, got "hello"'],
		["messages", [{ type: "video" }], "messages must be a list of messages"],
		["messages", [null], "messages must be a list of messages"],
		["sessionId", 1, "sessionId must be text, got 1"],
	])("hold nothing else than what they are for: %s", (key, value, problem) => {
		const memory = new Memory();
		expect(() => memory.set(key as "a", value)).toThrow(problem);
		expect(() => memory.merge({ [key]: value })).toThrow(ConfigurationError);
		expect(memory.toJSON()).toEqual(new Memory().toJSON());
	});

	it("are five: cache is no value", async () => {
		const memory = new Memory();
		for (const use of [
			() => memory.set("cache", 1),
			() => memory.get("cache"),
			() => memory.delete("cache"),
			() => memory.merge({ cache: 1 }),
		]) {
			expect(use).toThrow('"cache" is reserved, and no value.');
		}
		await expect(memory.waitFor("cache", { timeoutMs: 0 })).rejects.toThrow(ConfigurationError);
	});
});

describe("Memory.appendResult()", () => {
	it("puts a result behind the others, signed, and gives each back as it was", () => {
		const memory = new Memory();
		const heard: unknown[] = [];
		memory.subscribe("results", ({ kind, value, writer }) => heard.push([kind, value?.length, writer]));
		memory.as("bob").appendResult(result("a"));
		memory.appendResult(result("b"));
		expect(memory.results).toEqual([result("a"), result("b")]);
		expect(memory.results.every((one) => one instanceof RobotResult)).toBe(true);
		expect(heard).toEqual([["created", 1, "bob"], ["updated", 2, undefined]]); // biome-ignore format: triples
	});

	it("reads each result once, however often all are asked for", () => {
		const memory = new Memory();
		memory.appendResult(result("a"));
		const [first] = memory.results;
		memory.appendResult(result("b"));
		expect(memory.results[0]).toBe(first);
	});

	it("refuses what is no result", () => {
		expect(() => new Memory().appendResult({ id: "a" } as unknown as RobotResult)).toThrow("Cannot read a RobotResult: robotName");
	});
});
