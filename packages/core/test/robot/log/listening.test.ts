import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/errors/configuration-error.js";
import { Robot } from "../../../src/robot/robot.js";
import { MAX_STREAMED_OUTPUT } from "../../../src/stream/part-writer.js";
import type { StreamEvent } from "../../../src/stream/stream-event.js";
import { ScriptedModel } from "../../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../../src/testing/scripted-reply.js";
import { assertWholeLog } from "../../../src/testing/whole-log.js";
import { createTool } from "../../../src/tool/create-tool.js";
import type { Tool } from "../../../src/tool/tool.js";
import type { OutputEvent } from "../../../src/update/output-event.js";
import { reduceToolCalls, type ToolCalls } from "../../../src/update/reduce-tool-calls.js";

const robotWith = (rounds: readonly ScriptedRound[], options: object = {}): Robot =>
	new Robot({ name: "bob", model: new ScriptedModel(rounds), ...options });

const tool = (name: string, execute: Parameters<typeof createTool>[0]["execute"]): Tool => createTool({ name, description: name, execute });

function heard(robot: Robot): StreamEvent[] {
	const events: StreamEvent[] = [];
	robot.on("event", (event) => events.push(event));
	return events;
}

describe("robot.on()", () => {
	it("tells a listener that comes in the middle of a run what is right from then on", async () => {
		const late: OutputEvent[] = [];
		const print = tool("print", (_, { onOutput }) => {
			onOutput?.("first\n", "stdout");
			robot.on("content", (update) => late.push(update));
			onOutput?.("second\n", "stdout");
			return "printed";
		});
		const robot = robotWith([{ toolCalls: [{ name: "print" }] }, { text: ["Do", "ne"] }], { localTools: [print] });
		await robot.run("x");
		expect(late.map(({ update }) => update)).toMatchObject([
			{ sessionUpdate: "tool_call_update", status: "in_progress", content: [{ content: { text: "first\nsecond\n" } }] },
			{ sessionUpdate: "tool_call_update", status: "completed", content: [{ content: { text: "printed" } }] },
			{ sessionUpdate: "agent_message_chunk", content: { text: "Do" } },
			{ sessionUpdate: "agent_message_chunk", content: { text: "ne" } },
			{ sessionUpdate: "usage", scope: "call" },
			{ sessionUpdate: "usage", scope: "run" },
		]);
		expect(new Set(late.map(({ model }) => model))).toEqual(new Set(["scripted/scripted"]));
	});

	it("numbers events without a gap although nobody had heard the first deltas", async () => {
		const events: StreamEvent[] = [];
		let heardText = "";
		const robot = robotWith([{ text: ["a", "b", "c", "d"] }]);
		await robot.run("x", {
			onContent: ({ content }) => {
				heardText += content;
				if (content === "b") robot.on("event", (event) => events.push(event));
			},
		});
		expect(heardText).toBe("abcd");
		// run, step and part began as 1 to 3, "a" and "b" were 4 and 5
		expect(events[0]).toMatchObject({ event: "text.delta", data: { delta: "c" }, sequenceNumber: 6 });
		expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual(events.map((_, index) => index + 6));
		expect(events.find(({ event }) => event === "part.completed")?.data).toMatchObject({ finalContent: "abcd" });
	});

	it("tells nothing more after unsubscribe(), nor after dispose, whoever does it", async () => {
		const robot = robotWith([{ text: ["a", "b", "c"] }]);
		const told: string[] = [];
		const first = robot.on("event", ({ event }) => {
			told.push(`first ${event}`);
			second.unsubscribe();
			first.unsubscribe();
			first.unsubscribe();
		});
		const second = robot.on("event", ({ event }) => told.push(`second ${event}`));
		{
			using _ = robot.on("event", () => told.push("disposed"));
		}
		await robot.run("x");
		expect(told).toEqual(["first run.started"]);
		expect(first.id).not.toBe(second.id);
	});

	it.each([
		["contents", () => {}, 'knows no channel "contents". Known: content, lifecycle, stdout, stderr, event.'],
		["constructor", () => {}, "knows no channel"],
		["event", "log", 'robot.on("event", …) needs a function, got string'],
	])("refuses the channel %j with %j", (channel, listener, said) => {
		const on = (): unknown => robotWith([]).on(channel as "event", listener as () => void);
		expect(on).toThrow(ConfigurationError);
		expect(on).toThrow(said);
	});

	it("hands on all raw output of a tool, of which the log streams the first part and counts the rest", async () => {
		const chunk = `${"x".repeat(65_535)}😀`;
		const print = tool("print", (_, { onOutput }) => {
			for (let i = 0; i < 20; i++) onOutput?.(chunk, "stdout");
			onOutput?.("careful", "stderr");
			return "printed";
		});
		const robot = robotWith([{ toolCalls: [{ name: "print" }] }, "ok"], { localTools: [print] });
		const raw = { stdout: "", stderr: "" };
		robot.on("stdout", (text) => { raw.stdout += text; }); // biome-ignore format: one line
		robot.on("stderr", (text) => { raw.stderr += text; }); // biome-ignore format: one line
		const events = heard(robot);
		await robot.run("x");
		expect([raw.stdout, raw.stderr]).toEqual([chunk.repeat(20), "careful"]);
		const end = events.find((event) => event.event === "part.completed" && event.data.type === "tool-output");
		if (end?.event !== "part.completed") throw new Error("the output did not end");
		const { finalContent, droppedCharacters = 0, result } = end.data;
		expect(finalContent).toBe(chunk.repeat(20).slice(0, finalContent.length));
		expect(finalContent.length).toBeGreaterThan(MAX_STREAMED_OUTPUT - 2);
		expect(finalContent.length + droppedCharacters).toBe(chunk.length * 20 + "careful".length);
		expect(/[\ud800-\udbff]$/.test(finalContent)).toBe(false);
		expect(result).toBe("printed");
		assertWholeLog(events);
	});
});

describe("a robot beneath another", () => {
	const nested = (options: { readonly hang?: boolean } = {}) => {
		const helper = robotWith([options.hang ? { text: "thinking ", hang: true } : { text: ["four", "ty-two"] }], { name: "helper" });
		const ask = tool("ask", async (_, { run, signal }) => {
			const result = await helper.run("what is it?", { ...(run && { parent: run }), ...(signal && { signal }) });
			return result.lastTextContent ?? "";
		});
		const boss = robotWith([{ toolCalls: [{ name: "ask", id: "q" }] }, "It is 42."], { name: "boss", localTools: [ask] });
		return { helper, boss };
	};

	it("publishes to the same log, names its parent and the call that began it, and has its own run end first", async () => {
		const { helper, boss } = nested();
		const [all, own] = [heard(boss), heard(helper)];
		await boss.run("ask");
		assertWholeLog(all);
		const { runId } = all[0]?.data ?? {};
		expect(own[0]).toMatchObject({
			event: "run.started",
			data: { name: "helper", scope: "robot", parentRunId: runId, parentToolCallId: "q" },
		});
		expect(own.every(({ data }) => data.parentRunId === runId)).toBe(true);
		expect(own).toEqual(all.filter(({ data }) => data.parentRunId === runId));
		expect(own.at(-1)?.event).toBe("run.completed");
	});

	it("says in its content which call it works for", async () => {
		const { boss } = nested();
		const updates: OutputEvent[] = [];
		boss.on("content", (update) => updates.push(update));
		await boss.run("ask");
		const said = updates.flatMap(({ update, parentToolCallId }) =>
			update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [[parentToolCallId, update.content.text]] : [],
		);
		expect(said).toEqual([
			["q", "four"],
			["q", "ty-two"],
			[undefined, "It "],
			[undefined, "is "],
			[undefined, "42."],
		]);
	});

	it("does not tell the parent's onContent what the other robot says", async () => {
		const { boss } = nested();
		const told: string[] = [];
		await boss.run("ask", { onContent: ({ content }) => told.push(content) });
		expect(told.join("")).toBe("It is 42.");
	});

	it("is interrupted with its parent, before it", async () => {
		const { boss, helper } = nested({ hang: true });
		const controller = new AbortController();
		helper.on("content", () => controller.abort());
		const all = heard(boss);
		expect((await boss.run("ask", { signal: controller.signal })).stopReason).toBe("aborted");
		assertWholeLog(all);
		expect(
			all
				.filter(({ event }) => event === "run.interrupted")
				.map(({ data }) => [(data as { name?: string }).name, (data as { reason?: string }).reason]),
		).toEqual([
			["helper", "user_cancellation"],
			["boss", "user_cancellation"],
		]);
	});

	it("is refused when it begins after its parent's end: nobody would be told of what it does", async () => {
		const helper = robotWith(["never"], { name: "helper" });
		let late: Promise<unknown> | undefined;
		const leave = tool("leave", (_, { run }) => {
			late = new Promise((resolve) => setImmediate(resolve)).then(() =>
				helper.run("x", run && { parent: run }).catch((error: unknown) => error),
			);
			return "left";
		});
		const boss = robotWith([{ toolCalls: [{ name: "leave" }] }, "done"], { localTools: [leave] });
		const [all, own] = [heard(boss), heard(helper)];
		await boss.run("x");
		expect(await late).toSatisfy((error) => ConfigurationError.isInstance(error) && (error as Error).message.includes("that one is over"));
		expect(own).toEqual([]);
		assertWholeLog(all);
	});

	it("ends with its parent, and does nothing more, when the tool neither waits for it nor hands a signal on", async () => {
		const acted: string[] = [];
		const act = tool("act", () => acted.push("acted"));
		const helper = robotWith([{ text: "wait", hang: true }, { toolCalls: [{ name: "act" }] }], { name: "helper", localTools: [act] });
		let left: Promise<unknown> | undefined;
		const leave = tool("leave", (_, { run }) => {
			left = helper.run("x", run && { parent: run });
			return "left";
		});
		const boss = robotWith([{ toolCalls: [{ name: "leave" }] }, "done"], { localTools: [leave] });
		const all = heard(boss);
		await boss.run("x");
		expect(await left).toMatchObject({ stopReason: "aborted" });
		expect(acted).toEqual([]);
		assertWholeLog(all);
		expect(all.filter(({ event }) => event === "run.interrupted").map(({ data }) => data)).toMatchObject([
			{ name: "helper", reason: "parent_ended" },
		]);
	});

	it("is ended by an abort of its parent without being handed the signal", async () => {
		const helper = robotWith([{ text: "thinking", hang: true }], { name: "helper" });
		const ask = tool("ask", async (_, { run }) => (await helper.run("x", run && { parent: run })).stopReason);
		const boss = robotWith([{ toolCalls: [{ name: "ask" }] }], { localTools: [ask] });
		const controller = new AbortController();
		helper.on("content", () => controller.abort());
		expect(await boss.run("x", { signal: controller.signal })).toMatchObject({
			stopReason: "aborted",
			toolCalls: [{ content: "aborted" }],
		});
	});

	it("is told once, and in order, where a robot runs beneath itself", async () => {
		const nestedTool = tool(
			"again",
			async (_, { run }) => (await robot.run("inner", { tools: "none", ...(run && { parent: run }) })).lastTextContent ?? "",
		);
		const robot: Robot = robotWith([{ toolCalls: [{ name: "again" }] }, "INNER", "OUTER"], { localTools: [nestedTool] });
		const events = heard(robot);
		const updates: OutputEvent[] = [];
		robot.on("content", (update) => updates.push(update));
		await robot.run("outer");
		assertWholeLog(events);
		const said = updates.flatMap(({ update }) =>
			update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
		);
		expect(said).toEqual(["INNER", "OUTER"]);
	});

	it("has calls whose ids are its own in the log, though both providers count from 0", async () => {
		const look = tool("look", () => "seen");
		const helper = robotWith([{ toolCalls: [{ name: "look", id: "call_0" }] }, "42"], { name: "helper", localTools: [look] });
		const ask = tool("ask", async (_, { run }) => (await helper.run("x", run && { parent: run })).lastTextContent ?? "");
		const boss = robotWith([{ toolCalls: [{ name: "ask", id: "call_0" }] }, "It is 42."], { localTools: [ask] });
		const all = heard(boss);
		let cards: ToolCalls = new Map();
		boss.on("content", (update) => { cards = reduceToolCalls(cards, update); }); // biome-ignore format: one line
		await boss.run("x");
		assertWholeLog(all);
		expect([...cards.values()].map(({ toolName, status }) => [toolName, status])).toEqual([
			["ask", "completed"],
			["look", "completed"],
		]);
	});

	it.each([{}, null, "run", { runId: "x", publish: () => {}, part: () => {}, begin: () => {} }])(
		"refuses the parent %j",
		async (parent) => {
			await expect(robotWith(["never"]).run("x", { parent: parent as never })).rejects.toThrow(
				"parent must be the run that a tool is given",
			);
		},
	);
});

describe("a call that is not made", () => {
	it("is closed when the attempt it belongs to has failed, not at the end of the run", async () => {
		const busy = Object.assign(new Error("busy"), { statusCode: 429, isRetryable: true });
		const robot = robotWith([{ toolCalls: [{ name: "look", id: "c" }], error: busy }, "fine"], { retries: { sleep: async () => {} } });
		const events = heard(robot);
		await robot.run("x");
		assertWholeLog(events);
		const closed = events.findIndex((event) => event.event === "part.failed" && event.data.type === "tool-output");
		expect(closed).toBeGreaterThan(0);
		expect(closed).toBeLessThan(events.findIndex((event) => event.event === "step.started" && event.data.attempt === 2));
	});

	it("has one output although the provider sends a result for a call that is ours to make", async () => {
		const look = tool("look", () => "seen");
		const parts = [
			{ type: "tool-call", toolCallId: "c", toolName: "look", input: "{}" },
			{ type: "tool-result", toolCallId: "c", toolName: "look", result: "made up" },
		] as const;
		const robot = robotWith([{ parts, finishReason: "tool-calls" }, "fine"], { localTools: [look] });
		const events = heard(robot);
		await robot.run("x");
		assertWholeLog(events);
		expect(
			events.flatMap((event) => (event.event === "part.completed" && event.data.type === "tool-output" ? [event.data.result] : [])),
		).toEqual(["seen"]);
	});
});

describe("how a run's log says that it ended", () => {
	it.each([
		["length", "run.interrupted", "max_tokens"],
		["content-filter", "run.interrupted", "content_filter"],
		[null, "run.interrupted", "stream_cut"],
		["other", "run.completed", undefined],
		["error", "run.failed", undefined],
	] as const)("finish reason %s: %s %s", async (finishReason, event, reason) => {
		const robot = robotWith([{ text: "x", finishReason }]);
		const events = heard(robot);
		const { id, stopReason } = await robot.run("x");
		expect(events.at(-2)).toMatchObject({ event, data: { resultId: id, stopReason, ...(reason && { reason }) } });
	});

	it("says tool_limit, and timeout where the signal is one of time", async () => {
		const limited = robotWith([{ toolCalls: [{ name: "none" }] }], { maxToolRounds: 0 });
		const events = heard(limited);
		await limited.run("x");
		expect(events.at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "tool_limit" } });
		const slow = robotWith([{ text: "x", hang: true }]);
		const slowEvents = heard(slow);
		await slow.run("x", { signal: AbortSignal.timeout(20) });
		expect(slowEvents.at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "timeout" } });
	});

	it("says why it failed, and whether the same may work later", async () => {
		const busy = Object.assign(new Error("busy"), { statusCode: 503, isRetryable: true });
		const robot = robotWith([busy], { retries: 0 });
		const events = heard(robot);
		await expect(robot.run("x")).rejects.toThrow("busy");
		expect(events.at(-2)).toMatchObject({ event: "run.failed", data: { error: { code: "inference" }, recoverable: true } });
		assertWholeLog(events);
	});

	it("is a whole log, too, where the run fails before the model is asked", async () => {
		const robot = robotWith(["never"]);
		const events = heard(robot);
		await expect(robot.run("x", { tools: ["nothing"] })).rejects.toThrow(ConfigurationError);
		expect(events.map(({ event }) => event)).toEqual(["run.started", "run.failed", "stream.ended"]);
		expect(events[1]?.data).toMatchObject({ error: { code: "configuration" }, recoverable: false });
	});

	it("publishes nothing for a message that is none", async () => {
		const robot = robotWith(["never"]);
		const events = heard(robot);
		await expect(robot.run("")).rejects.toThrow("run() needs a message");
		expect(() => robot.stream(" ")).toThrow("stream() needs a message");
		expect(() => robot.stream("x", { signal: {} as never })).toThrow("needs an AbortSignal as signal, got an object");
		await expect(robot.run("x", { signal: 5 as never })).rejects.toThrow("needs an AbortSignal as signal, got 5");
		expect(() => robot.stream("x", { parent: {} } as never)).toThrow("stream() takes no parent");
		expect(events).toEqual([]);
	});
});
