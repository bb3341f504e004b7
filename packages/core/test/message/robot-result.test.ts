import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { assistantText, type ToolResultMessage } from "../../src/message/message.js";
import { RobotResult } from "../../src/message/robot-result.js";
import type { RobotResultInit } from "../../src/message/robot-result-record.js";

const toolCall: ToolResultMessage = {
	type: "tool_result",
	role: "tool_result",
	tool: { id: "call-1", name: "add", args: { a: 1, b: [2, "“ü\n"] } },
	content: "3",
	isError: false,
	durationMs: 1.5,
};

const result = (init: Partial<RobotResultInit> = {}): RobotResult =>
	new RobotResult({
		id: "0b9c",
		robotName: "bob",
		output: [assistantText("Let me add."), assistantText("It is 3.")],
		toolCalls: [toolCall],
		stopReason: "stop",
		createdAt: new Date("2026-01-02T03:04:05.678Z"),
		inputTokens: 20,
		outputTokens: 7,
		durationMs: 12.25,
		...init,
	});

describe("RobotResult", () => {
	it("comes back from its JSON as it was", () => {
		for (const original of [
			result(),
			result({ delegatedBy: "chief" }),
			result({ inputTokens: undefined, output: [], toolCalls: [], stopReason: "aborted" }),
		]) {
			expect(RobotResult.fromJSON(JSON.stringify(original))).toEqual(original);
			expect(RobotResult.fromJSON(original.toJSON())).toEqual(original);
		}
	});

	it("cannot be changed, neither by itself nor through what it was made from", () => {
		const args = { a: 1, list: [{ b: 2 }] };
		const calls = [{ ...toolCall, tool: { ...toolCall.tool, args } }];
		const output = [assistantText("It is 3.")];
		const createdAt = new Date(5);
		const made = result({ output, toolCalls: calls, createdAt });
		calls.pop();
		output.push(assistantText("It is 4."));
		args.a = 9;
		(args.list[0] as { b: number }).b = 9;
		createdAt.setTime(9);
		expect(made).toMatchObject({ output: [{ content: "It is 3." }], toolCalls: [{ tool: { args: { a: 1, list: [{ b: 2 }] } } }] });
		expect(made.createdAt).toEqual(new Date(5));
		const call = made.toolCalls[0] as ToolResultMessage;
		for (const part of [made, made.output, made.output[0], made.toolCalls, call, call.tool, call.tool.args]) {
			expect(Object.isFrozen(part)).toBe(true);
		}
	});

	it("keeps arguments with a key like __proto__ and ones that are nested without end", () => {
		const args = JSON.parse('{"__proto__": {"admin": true}, "a": 1}');
		let deep: unknown = 0;
		for (let depth = 0; depth < 100_000; depth++) deep = [deep];
		const made = result({ toolCalls: [args, deep].map((each) => ({ ...toolCall, tool: { ...toolCall.tool, args: each } })) });
		expect(JSON.stringify(made.toolCalls[0]?.tool.args)).toBe('{"__proto__":{"admin":true},"a":1}');
		expect(made.toolCalls[0]?.tool.args).not.toHaveProperty("admin");
		expect(Array.isArray(made.toolCalls[1]?.tool.args)).toBe(true);
	});

	it("export() leaves out how the run went and fromJSON() takes it all the same", () => {
		const exported = result({ delegatedBy: "chief" }).export();
		expect(Object.keys(exported).sort()).toEqual(
			["id", "robotName", "output", "toolCalls", "stopReason", "createdAt", "inputTokens", "outputTokens"].sort(),
		);
		expect(RobotResult.fromJSON(exported)).toEqual(result({ durationMs: 0 }));
	});

	it("toJSON() has no key for what is absent", () => {
		expect(JSON.stringify(result({ inputTokens: undefined, outputTokens: undefined }))).not.toMatch(/inputTokens|outputTokens|delegatedBy/);
	});

	it("lastTextContent is the last text, undefined when the model said nothing", () => {
		expect(result().lastTextContent).toBe("It is 3.");
		expect(result({ output: [] }).lastTextContent).toBeUndefined();
		expect(
			result({ output: [assistantText("said"), { type: "tool_call", role: "assistant", tools: [toolCall.tool] }] }).lastTextContent,
		).toBe("said");
	});

	it("stopped is true for stop alone, hasToolCalls for any call", () => {
		expect([result().stopped, result().hasToolCalls]).toEqual([true, true]);
		for (const stopReason of ["length", "aborted", "tool_limit", "content_filter", "interrupted", "error", "other"] as const) {
			expect(result({ stopReason, toolCalls: [] }).stopped).toBe(false);
		}
		expect(result({ toolCalls: [] }).hasToolCalls).toBe(false);
	});

	it.each([
		["{", "the text is not JSON"],
		[null, "the result must be an object, got null"],
		[{ ...result().toJSON(), id: 7 }, "id must be a string, got 7"],
		[{ ...result().toJSON(), stopReason: "gone" }, "stopReason must be one of stop, length"],
		[{ ...result().toJSON(), createdAt: "yesterday" }, "createdAt must be an ISO 8601 date"],
		[{ ...result().toJSON(), output: [{ type: "text", role: "robot", content: "x" }] }, "output[0].role must be user, assistant or system"],
		[{ ...result().toJSON(), output: [{ type: "picture" }] }, 'output[0].type must be one of "text"'],
		[{ ...result().toJSON(), toolCalls: [{ ...toolCall, tool: { id: "1" } }] }, "toolCalls[0].tool.name must be a string, got undefined"],
		[{ ...result().toJSON(), toolCalls: {} }, "toolCalls must be an array"],
		[{ ...result().toJSON(), inputTokens: "many" }, "inputTokens must be a number"],
	])("fromJSON(%j) names what is wrong", (json, message) => {
		expect(() => RobotResult.fromJSON(json)).toThrow(message);
		expect(() => RobotResult.fromJSON(json)).toSatisfy((call: () => unknown) => {
			try {
				call();
				return false;
			} catch (error) {
				return ConfigurationError.isInstance(error);
			}
		});
	});
});
