import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Memory } from "../../src/memory/memory.js";
import { RobotResult } from "../../src/message/robot-result.js";

const results = fc
	.record({
		id: fc.string(),
		robotName: fc.string(),
		output: fc.array(fc.record({ type: fc.constant("text" as const), role: fc.constantFrom("user" as const, "assistant" as const), content: fc.string() }), { maxLength: 2 }), // biome-ignore format: one line
		toolCalls: fc.constant([]),
		stopReason: fc.constant("stop" as const),
		createdAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") }),
		durationMs: fc.nat(),
		delegatedBy: fc.option(fc.string(), { nil: undefined }),
	})
	.map((init) => new RobotResult(init));

const keys = fc.oneof(
	fc.string(),
	fc.string({ unit: "binary" }),
	fc.constantFrom("__proto__", "constructor", "toJSON", "0", "1e3", "custom"),
);
const reserved = new Set(["data", "results", "messages", "sessionId", "cache"]);

const memories = fc
	.record({
		custom: fc.array(fc.tuple(keys.filter((key) => !reserved.has(key)), fc.jsonValue({ maxDepth: 3 })), { maxLength: 8 }), // biome-ignore format: one line
		data: fc.option(fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 })), { nil: undefined }),
		results: fc.array(results, { maxLength: 3 }),
		messages: fc.array(fc.record({ type: fc.constant("text"), role: fc.constant("user"), content: fc.string() }), { maxLength: 3 }),
		sessionId: fc.option(fc.string(), { nil: undefined }),
	})
	.map(({ custom, data, results, messages, sessionId }) => {
		const memory = new Memory();
		for (const [key, value] of custom) memory.set(key, value);
		if (data !== undefined) memory.set("data", data);
		for (const result of results) memory.appendResult(result);
		memory.set("messages", messages as typeof memory.messages);
		if (sessionId !== undefined) memory.set("sessionId", sessionId);
		return memory;
	});

describe("Memory.toJSON() and Memory.fromJSON()", () => {
	it("give a memory back as it was, from a record and from its text", () => {
		fc.assert(
			fc.property(memories, (memory) => {
				for (const json of [memory.toJSON(), JSON.stringify(memory)]) {
					const read = Memory.fromJSON(json);
					// vitest takes what is below "constructor" for a class
					const [got, wanted] = [read, memory].map(({ data, messages, sessionId }) => ({ data, messages, sessionId }));
					expect(isDeepStrictEqual(got, wanted)).toBe(true);
					expect(isDeepStrictEqual(new Map(read.entries()), new Map(memory.entries()))).toBe(true);
					expect(read.results).toEqual(memory.results);
					expect(JSON.stringify(read)).toBe(JSON.stringify(memory));
				}
			}),
			{ numRuns: 300 },
		);
	});

	it("keep the order of keys, but for whole numbers, which JSON puts first", () => {
		const memory = new Memory();
		for (const key of ["b", "10", "a", "9"]) memory.set(key, 1);
		expect(Memory.fromJSON(memory.toJSON()).keys()).toEqual(["9", "10", "b", "a"]);
	});

	it("say what a memory looks like", () => {
		const memory = new Memory();
		memory.set("a", { b: 1 });
		expect(JSON.stringify(memory)).toBe('{"data":{},"results":[],"messages":[],"custom":{"a":{"b":1}}}');
		memory.set("sessionId", "s");
		expect(memory.toJSON()).toStrictEqual({ data: {}, results: [], messages: [], sessionId: "s", custom: { a: { b: 1 } } });
	});

	it("read a record that has less, and what is no part of a memory is left", () => {
		expect(Memory.fromJSON({ custom: { a: 1 }, version: 2 }).toJSON()).toEqual({ data: {}, results: [], messages: [], custom: { a: 1 } });
	});

	it("read into the backend that is given", () => {
		const failures: unknown[] = [];
		const memory = Memory.fromJSON('{"custom":{"a":1}}', { onListenerError: (error) => failures.push(error) });
		memory.subscribe("a", () => {
			throw "broken";
		});
		memory.set("a", 2);
		expect(failures).toEqual(["broken"]);
	});

	it.each<[unknown, string]>([
		["{", "Cannot read a memory: the text is not JSON."],
		["[]", "it must be a record, got a list"],
		[null, "it must be a record, got null"],
		[undefined, "it must be a record, got undefined"],
		[{}, "custom must be a record, got undefined"],
		[{ custom: [] }, "custom must be a record, got a list"],
		[{ custom: { results: [] } }, '"results" is reserved, and stands beside custom, not in it.'],
		[{ custom: { cache: 1 } }, '"cache" is reserved'],
		[{ custom: { a: () => 1 } }, 'Memory.fromJSON(), "a": value is a function'],
		[{ custom: {}, data: 1 }, 'Memory.fromJSON(), "data": data must be a record, got 1'],
		[{ custom: {}, results: [{}] }, "Cannot read a RobotResult: id must be a string, got undefined."],
		[{ custom: {}, sessionId: null }, "sessionId must be text, got null"],
	])("refuse %j", (json, problem) => {
		expect(() => Memory.fromJSON(json)).toThrow(problem);
		expect(() => Memory.fromJSON(json)).toThrow(ConfigurationError);
	});
});
