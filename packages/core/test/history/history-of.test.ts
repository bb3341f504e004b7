import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { historyOf } from "../../src/history/history-of.js";
import { messagesOf } from "../../src/history/messages-of.js";
import { assistantText, type Message, type ToolCall, userText } from "../../src/message/message.js";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "../robot/valid-history.js";
import { faultsOf, histories, work } from "./histories.js";

const calls = (...tools: readonly ToolCall[]): Message => ({ type: "tool_call", role: "assistant", tools });
const add = (id: string, args: unknown = { a: 1 }): ToolCall => ({ id, name: "add", args });
const result = (id: string, content = "3", isError = false): Message => ({
	type: "tool_result",
	role: "tool_result",
	tool: add(id),
	content,
	isError,
	durationMs: 0,
});

describe("historyOf()", () => {
	it("is what messages tell of: text and calls of one reply in one message, results of one round in one", () => {
		const messages = [
			userText("Add"),
			assistantText("Let me see."),
			calls(add("c1"), add("c2")),
			result("c2", "4"),
			result("c1", "no", true),
			assistantText("So."),
		];
		expect(historyOf(messages)).toEqual([
			{ role: "user", content: [{ type: "text", text: "Add" }] },
			{
				role: "assistant",
				content: [
					{ type: "text", text: "Let me see." },
					{ type: "tool-call", toolCallId: "c1", toolName: "add", input: { a: 1 } },
					{ type: "tool-call", toolCallId: "c2", toolName: "add", input: { a: 1 } },
				],
			},
			{
				role: "tool",
				content: [
					{ type: "tool-result", toolCallId: "c2", toolName: "add", output: { type: "text", value: "4" } },
					{ type: "tool-result", toolCallId: "c1", toolName: "add", output: { type: "error-text", value: "no" } },
				],
			},
			{ role: "assistant", content: [{ type: "text", text: "So." }] },
		]);
		expect(messagesOf(historyOf(messages))).toEqual(messages);
		expect(historyOf([])).toEqual([]);
	});

	it("takes what any robot's messages are, and they stay what they are", () => {
		fc.assert(
			fc.property(histories, (history) => {
				const messages = messagesOf(history);
				const again = historyOf(messages);
				expect(faultsOf(history)).toEqual([]);
				expect(faultsOf(again)).toEqual([]);
				if (again.length > 0) expectValidHistory(again);
				expect(messagesOf(again)).toEqual(messages);
			}),
		);
	});

	it("takes the messages of a robot that called tools, was stopped, and failed", async () => {
		const fails = createTool({
			name: "fails",
			description: "Fails.",
			parameters: { type: "object", properties: {} },
			execute: () => Promise.reject(new Error("no disk")),
		});
		const model = new ScriptedModel([
			{
				text: "Let me see.",
				toolCalls: [
					{ name: "fails", input: "{}" },
					{ name: "nobody", input: "{}" },
				],
			},
			{ text: "It failed." },
			{ toolCalls: [{ name: "fails", input: "{}" }] },
			{ toolCalls: [{ name: "fails", input: "{}" }] },
		]);
		const robot = new Robot({ name: "bob", model, localTools: [fails], maxToolRounds: 1, retries: 0 });
		await robot.run("Go");
		expect((await robot.run("Again")).stopReason).toBe("tool_limit");
		await expect(robot.run("And again")).rejects.toThrow();
		expect(robot.messages.length).toBeGreaterThan(9);
		expect(messagesOf(historyOf(robot.messages))).toEqual(robot.messages);
	});

	it("does not change with what it was made from", () => {
		const args = { list: [1] };
		const messages = [userText("Add"), calls(add("c1", args)), result("c1")];
		const history = historyOf(messages);
		args.list.push(2);
		messages.pop();
		expect(messagesOf(history)[1]).toEqual(calls(add("c1", { list: [1] })));
		expect(history).toHaveLength(3);
	});

	it.each([
		["text", { invalid: "text" }],
		[[1], { invalid: [1] }],
		[undefined, { invalid: undefined }],
		[
			{ day: new Date(0), big: 1n, run: () => 1 },
			{ day: "1970-01-01T00:00:00.000Z", big: "1", run: undefined },
		],
	])("makes the arguments %o a record that can be written", (args, input) => {
		const [, reply] = historyOf([userText("Add"), calls({ ...add("c1"), args }), result("c1")]);
		expect(reply?.content[0]).toMatchObject({ input });
		expect(JSON.stringify(reply)).toContain("c1");
	});

	it("holds no half of a character, wherever it came from", () => {
		const args = { ["k\ud83d"]: ["v\ude00", "😀"] };
		const messages = [userText("u\ud83d"), calls(add("c1", args)), result("c1", "r\ud83d"), assistantText("a\ud83d")];
		expect(messagesOf(historyOf(messages))).toEqual([
			userText("u\ufffd"),
			calls(add("c1", { ["k\ufffd"]: ["v\ufffd", "😀"] })),
			{ ...result("c1", "r\ufffd"), tool: add("c1", { ["k\ufffd"]: ["v\ufffd", "😀"] }) },
			assistantText("a\ufffd"),
		]);
	});

	const circle: Record<string, unknown> = {};
	circle.self = circle;
	it("takes arguments that hold themselves, and ones with a key like __proto__", () => {
		const args = [circle, JSON.parse('{"__proto__": {"admin": true}}')];
		const history = historyOf([userText("Add"), calls(...args.map((each, index) => add(`c${index}`, each))), result("c0"), result("c1")]);
		expect(JSON.stringify(history)).toContain("refers to itself");
		expect(JSON.stringify(history)).toContain('{"__proto__":{"admin":true}}');
	});

	const good = [userText("Add"), calls(add("c1")), result("c1")];
	const hole: Message[] = [userText("Hi")];
	hole[2] = userText("Hi");
	it.each<[string, unknown, RegExp]>([
		["no list", undefined, /messages must be an array, got undefined/],
		["text", "Hi", /messages must be an array, got "Hi"/],
		["a message", userText("Hi"), /messages must be an array, got an object/],
		["null in it", [null], /messages\[0\] must be an object, got null/],
		["a hole", hole, /messages\[1\] must be an object, got undefined/],
		["another kind", [{ role: "user", content: "Hi" }], /messages\[0\]\.type must be one of "text"/],
		["another role", [{ ...userText("Hi"), role: "tool" }], /messages\[0\]\.role must be user, assistant or system, got "tool"/],
		["a content of parts", [{ ...userText("Hi"), content: [] }], /messages\[0\]\.content must be a string, got a list/],
		["a user without words", [userText("")], /messages\[0\]\.content must be a text that is not blank/],
		["a user of spaces", [userText(" \n\u3000")], /messages\[0\]\.content must be a text that is not blank/],
		["an answer without words", [userText("Hi"), assistantText("")], /messages\[1\]\.content must be a text that is not blank/],
		["the system", [{ ...userText("Be kind."), role: "system" }], /messages\[0\] is from the system.*systemPrompt/],
		["the system, later", [...good, { ...userText("Be kind."), role: "system" }], /messages\[3\] is from the system.*systemPrompt/],
		["an answer first", [assistantText("Hi")], /messages\[0\] must be from a user/],
		["a call first", [calls(add("c1")), result("c1")], /messages\[0\] must be from a user/],
		["a result first", [result("c1")], /messages\[0\] must be from a user/],
		["no calls", [userText("Hi"), calls()], /messages\[1\]\.tools must hold at least one call/],
		["calls that are no list", [userText("Hi"), { ...calls(), tools: {} }], /messages\[1\]\.tools must be an array/],
		["a call without an id", [userText("Hi"), calls(add(""))], /messages\[1\]\.tools\[0\]\.id must be 1 to 64 letters/],
		[
			"an id of other letters",
			[userText("Hi"), calls(add("functions.add:0"))],
			/messages\[1\]\.tools\[0\]\.id must be 1 to 64 .*"functions.add:0"/,
		],
		["an id that is too long", [userText("Hi"), calls(add("c".repeat(65)))], /tools\[0\]\.id must be 1 to 64/],
		["an id that is a number", [userText("Hi"), calls(add(7 as never))], /messages\[1\]\.tools\[0\]\.id must be a string, got 7/],
		["a call without a name", [userText("Hi"), calls({ ...add("c1"), name: "" })], /tools\[0\]\.name must be 1 to 64 letters/],
		[
			"a name of other letters",
			[userText("Hi"), calls({ ...add("c1"), name: "math.add" })],
			/tools\[0\]\.name must be 1 to 64 .*"math.add"/,
		],
		["a call without a result", [userText("Hi"), calls(add("c1"))], /messages\[1\]\.tools\[0\] \("add", id "c1"\) has no result/],
		["a call answered late", [userText("Hi"), calls(add("c1")), userText("?"), result("c1")], /messages\[1\]\.tools\[0\] .* has no result/],
		[
			"half the results",
			[userText("Hi"), calls(add("c1"), add("c2")), result("c1"), assistantText("3")],
			/tools\[1\] .*"c2".* has no result/,
		],
		["a result of no call", [userText("Hi"), result("c1")], /messages\[1\] answers no call right before it.*"c1"/],
		["a second result", [...good, result("c1")], /messages\[3\] answers no call right before it/],
		["a result of another call", [userText("Hi"), calls(add("c1")), result("c2")], /messages\[2\] answers no call/],
		["an id for the second time", [...good, calls(add("c1")), result("c1")], /messages\[3\]\.tools\[0\]\.id must be its own, "c1"/],
		[
			"an id twice in a reply",
			[userText("Hi"), calls(add("c1"), add("c1")), result("c1")],
			/messages\[1\]\.tools\[1\]\.id must be its own/,
		],
		["a result without its call's id", [...good.slice(0, 2), { ...result("c1"), tool: {} }], /messages\[2\]\.tool\.id must be a string/],
		["a result that is no text", [...good.slice(0, 2), { ...result("c1"), content: 3 }], /messages\[2\]\.content must be a string, got 3/],
	])("refuses %s", (_, messages, reason) => {
		expect(() => historyOf(messages as Message[])).toThrow(ConfigurationError);
		expect(() => historyOf(messages as Message[])).toThrow(reason);
		expect(() => historyOf(messages as Message[])).toThrow(/^Cannot make a history of these messages: /);
	});
});

describe("messagesOf()", () => {
	it("has the provider's own results behind their calls, and what was said after them after them", () => {
		const history: LanguageModelV4Message[] = [
			{ role: "user", content: [{ type: "text", text: "Find" }] },
			{
				role: "assistant",
				content: [
					{ type: "text", text: "I look." },
					{ type: "tool-call", toolCallId: "s1", toolName: "search", input: { q: "x" }, providerExecuted: true },
					{ type: "tool-result", toolCallId: "s1", toolName: "search", output: { type: "json", value: { hits: 2 } } },
					{ type: "text", text: "Two." },
					{ type: "tool-call", toolCallId: "s2", toolName: "search", input: {}, providerExecuted: true },
					{ type: "tool-call", toolCallId: "s3", toolName: "search", input: {}, providerExecuted: true },
				],
			},
			{
				role: "assistant",
				content: [{ type: "tool-result", toolCallId: "s3", toolName: "search", output: { type: "error-json", value: "?" } }],
			},
		];
		const call = (id: string, args: object): ToolCall => ({ id, name: "search", args });
		expect(messagesOf(history)).toMatchObject([
			userText("Find"),
			assistantText("I look."),
			calls(call("s1", { q: "x" })),
			{ tool: call("s1", { q: "x" }), content: '{"hits":2}', isError: false },
			assistantText("Two."),
			calls(call("s2", {}), call("s3", {})),
			{ tool: call("s2", {}), content: "Error: the provider told of no result", isError: true },
			{ tool: call("s3", {}), content: '"?"', isError: true },
		]);
	});

	it("takes the texts of a reply together, and of two results of a call the first", () => {
		const call = { type: "tool-call", toolCallId: "s", toolName: "search", input: {}, providerExecuted: true } as const;
		const gave = (value: string) =>
			({ type: "tool-result", toolCallId: "s", toolName: "search", output: { type: "text", value } }) as const;
		const say = (text: string) => ({ type: "text", text }) as const;
		const history: LanguageModelV4Message[] = [
			{ role: "user", content: [say("Find")] },
			{ role: "assistant", content: [say("I"), say(" look."), call, gave("one"), say("It is"), say(" one."), gave("two")] },
		];
		expect(messagesOf(history).map((message) => message.type !== "tool_call" && message.content)).toEqual([
			"Find",
			"I look.",
			false,
			"one",
			"It is one.",
		]);
	});

	it("tells of files by their names", () => {
		const file = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } } as const;
		const text = { type: "text", text: "What is it?" } as const;
		expect(messagesOf([{ role: "user", content: [text, { ...file, filename: "a.png" }, file] }])).toEqual([
			userText("What is it?\n\n[file a.png]\n\n[file image/png]"),
		]);
	});

	it("leaves no round of calls out", () => {
		expect(messagesOf([...work("a", "1", "b", "c"), ...work("d", "2", "e", "f")]).map(({ type }) => type)).toHaveLength(8);
	});
});
