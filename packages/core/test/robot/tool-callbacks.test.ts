import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import type { ToolCall, ToolResultMessage } from "../../src/message/message.js";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

// listeners fail here, each with its warning
beforeAll(() => void process.removeAllListeners("warning"));

interface Heard {
	readonly lines: string[];
	readonly calls: ToolCall[];
	readonly results: ToolResultMessage[];
}

const say = createTool<{ text: string; ms?: number }>({
	name: "say",
	description: "Says it, after a while.",
	parameters: { type: "object", properties: { text: { type: "string" }, ms: { type: "number" } }, required: ["text"] },
	execute: async ({ text, ms = 0 }) => {
		for (let turn = 0; turn < ms; turn++) await new Promise((resolve) => setImmediate(resolve));
		if (text === "fail") throw new Error("no voice");
		return `said ${text}`;
	},
});

function listening(
	rounds: readonly ScriptedRound[],
	options: Partial<RobotOptions> = {},
): { robot: Robot; model: ScriptedModel; heard: Heard } {
	const model = new ScriptedModel(rounds);
	const heard: Heard = { lines: [], calls: [], results: [] };
	const robot = new Robot({
		name: "bob",
		model,
		localTools: [say],
		onToolCall: (call) => {
			heard.lines.push(`call ${call.id}`);
			heard.calls.push(call);
		},
		onToolResult: (result) => {
			heard.lines.push(`result ${result.tool.id}`);
			heard.results.push(result);
		},
		...options,
	});
	return { robot, model, heard };
}

const threeCalls: ScriptedRound = {
	toolCalls: [
		{ id: "a", name: "say", args: { text: "one", ms: 9 } },
		{ id: "b", name: "say", args: { text: "fail", ms: 3 } },
		{ id: "c", name: "say", args: { text: "three" } },
	],
};

describe("onToolCall and onToolResult", () => {
	it("are called in the order of the calls, and as results come; the result of the run keeps the order of the calls", async () => {
		const { robot, heard } = listening([threeCalls, { toolCalls: [{ id: "d", name: "say", args: { text: "four" } }] }, "done"]);
		const result = await robot.run("x");
		expect(heard.lines).toEqual(["call a", "call b", "call c", "result c", "result b", "result a", "call d", "result d"]);
		expect(result.toolCalls.map(({ tool }) => tool.id)).toEqual(["a", "b", "c", "d"]);
	});

	it("are told what the model asked for and what it is told", async () => {
		const { robot, heard } = listening([threeCalls, "done"]);
		const result = await robot.run("x");
		expect(heard.calls[0]).toEqual({ id: "a", name: "say", args: { text: "one", ms: 9 } });
		expect(heard.results.find(({ tool }) => tool.id === "b")).toEqual({
			type: "tool_result",
			role: "tool_result",
			tool: heard.calls[1],
			content: "Error (say): no voice",
			isError: true,
			durationMs: expect.any(Number),
		});
		expect(heard.results.toSorted((one, other) => (one.tool.id < other.tool.id ? -1 : 1))).toEqual(result.toolCalls);
	});

	it("hear of calls that cannot be made, as the model wrote them", async () => {
		const { robot, heard } = listening([
			{
				toolCalls: [
					{ id: "a", name: "nobody", args: 5 },
					{ id: "b", name: "say", input: '{"text"' },
					{ id: "c", name: "say", args: {} },
				],
			},
			"done",
		]);
		await robot.run("x");
		expect(heard.calls.map(({ args }) => args)).toEqual([5, '{"text"', {}]);
		expect(heard.results.map(({ isError }) => isError)).toEqual([true, true, true]);
	});

	it("hear nothing of calls that are not made", async () => {
		const { robot, heard } = listening([threeCalls], { maxToolRounds: 0 });
		expect((await robot.run("x")).toolCalls).toHaveLength(3);
		expect(heard.lines).toEqual([]);
	});

	it("of a config are told where the robot has none of its own", async () => {
		const names: string[] = [];
		const config = { onToolCall: ({ name }: ToolCall) => names.push(`config ${name}`), onToolResult: () => names.push("config result") };
		const model = new ScriptedModel([threeCalls, "done"]);
		await new Robot({ name: "bob", model, localTools: [say], config, onToolCall: ({ id }) => names.push(id) }).run("x");
		expect(names).toEqual(["a", "b", "c", "config result", "config result", "config result"]);
	});

	it("are told before the tool runs and before the model goes on", async () => {
		const order: string[] = [];
		const model = new ScriptedModel([{ toolCalls: [{ name: "note" }] }, () => `done, told ${order.push("asked again")}`]);
		const note = createTool({ name: "note", description: "Notes.", execute: () => order.push("runs") });
		await new Robot({
			name: "bob",
			model,
			localTools: [note],
			onToolCall: () => order.push("call"),
			onToolResult: () => order.push("result"),
		}).run("x");
		expect(order).toEqual(["call", "runs", "result", "asked again"]);
	});

	it("change nothing by throwing, in any way", async () => {
		const quiet = listening([threeCalls, "done"]);
		await quiet.robot.run("x");
		for (const fail of [
			() => {
				throw new Error("x");
			},
			() => {
				throw null;
			},
			() => Promise.reject(new Error("x")),
		]) {
			const { robot, model } = listening([threeCalls, "done"], { onToolCall: fail, onToolResult: fail });
			expect((await robot.run("x")).toolCalls.map(({ content }) => content)).toEqual(["said one", "Error (say): no voice", "said three"]);
			expect(model.calls[1]?.prompt).toEqual(quiet.model.calls[1]?.prompt);
		}
	});

	it("may abort the run: the calls of that round have results, and the next run goes on", async () => {
		const stop = new AbortController();
		const { robot, model } = listening([threeCalls, "next"], { onToolCall: ({ id }) => void (id === "b" && stop.abort()) });
		const result = await robot.run("x", { signal: stop.signal });
		expect(result.stopReason).toBe("aborted");
		expect(result.toolCalls.map(({ content }) => content.slice(0, 15))).toEqual(["Error (aborted)", "Error (aborted)", "Error (aborted)"]);
		expect((await robot.run("y")).lastTextContent).toBe("next");
		expectValidHistory(model.calls[1]?.prompt ?? []);
	});

	it("are warned of once, and end no process, where nobody would handle what they reject with", () => {
		const script = `
			import { Robot } from "@robot-lab/core";
			import { ScriptedModel } from "@robot-lab/core/testing";
			const fail = async () => { throw new Error("listener"); };
			const model = new ScriptedModel([{ toolCalls: [{ name: "a" }, { name: "b" }] }, "done"]);
			const result = await new Robot({ name: "bob", model, onToolCall: fail, onToolResult: fail }).run("x");
			await new Promise((resolve) => setImmediate(resolve));
			console.log(result.lastTextContent);`;
		const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
			cwd: new URL("../..", import.meta.url),
			encoding: "utf8",
		});
		expect([status, stdout]).toEqual([0, "done\n"]);
		expect(stderr.match(/ROBOT_LAB_LISTENER_FAILED/g)).toHaveLength(2);
	});
});
