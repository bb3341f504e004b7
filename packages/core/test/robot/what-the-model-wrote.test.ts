import { beforeAll, describe, expect, it } from "vitest";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";

beforeAll(() => void process.removeAllListeners("warning"));

const greedy = createTool<{ list: number[]; x?: number }>({
	name: "greedy",
	description: "Changes what it is given.",
	parameters: { type: "object" },
	execute: (input) => {
		input.list.push(9);
		input.x = 1;
		return `has ${input.list.length}`;
	},
});

async function told(options: Partial<RobotOptions>, input?: string): Promise<unknown> {
	const call = { name: "greedy", ...(input === undefined ? { args: { list: [1] } } : { input }) };
	const model = new ScriptedModel([{ toolCalls: [call] }, "done"]);
	const result = await new Robot({ name: "bob", model, localTools: [greedy], ...options }).run("x");
	return [model.calls[1]?.prompt.slice(1), result.toolCalls.map(({ tool, content }) => [tool, content])];
}

const honest = [
	[
		{ role: "assistant", content: [{ type: "tool-call", toolCallId: "call-1", toolName: "greedy", input: { list: [1] } }] },
		{
			role: "tool",
			content: [{ type: "tool-result", toolCallId: "call-1", toolName: "greedy", output: { type: "text", value: "has 2" } }],
		},
	],
	[[{ id: "call-1", name: "greedy", args: { list: [1] } }, "has 2"]],
];

describe("what the model wrote, and what it is told", () => {
	it("stays as it is where a tool changes its arguments", async () => {
		expect(await told({})).toEqual(honest);
	});

	it("stays as it is where listeners change what they are given", async () => {
		const onToolCall = (call: object): void => void Object.assign((call as { args: object }).args, { list: [5] });
		const onToolResult = (result: object): void => void Object.assign(result, { content: "a lie" });
		expect(await told({ onToolCall, onToolResult })).toEqual(honest);
		expect(await told({ onToolCall: (call: object) => void Object.assign(call, { name: "nobody" }) })).toEqual(honest);
	});

	it("may be nested deeper than the stack", async () => {
		const depth = 200_000;
		const nested = `{"list":${"[".repeat(depth)}${"]".repeat(depth)}}`;
		const model = new ScriptedModel([{ toolCalls: [{ name: "greedy", input: nested }] }, "done"]);
		const robot = new Robot({ name: "bob", model, localTools: [greedy] });
		expect((await robot.run("x")).lastTextContent).toBe("done");
	});
});
