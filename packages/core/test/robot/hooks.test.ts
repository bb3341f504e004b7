import { describe, expect, it } from "vitest";
import { Hook } from "../../src/hook/hook.js";
import type { FinishedHookContext, HookContext, HookNext } from "../../src/hook/hook-context.js";
import { registerHook } from "../../src/hook/register-hook.js";
import { RobotResult } from "../../src/message/robot-result.js";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import type { EventLog } from "../../src/stream/event-log.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

const named = { namespace: "test" };

const double = createTool({
	name: "double",
	description: "Doubles a number.",
	parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
	execute: ({ n }: { readonly n: number }) => n * 2,
});
const callDouble = (n: unknown): ScriptedRound => ({ toolCalls: [{ name: "double", args: { n } }] });

function robotWith(rounds: readonly ScriptedRound[], options: Partial<RobotOptions>): { robot: Robot; model: ScriptedModel } {
	const model = new ScriptedModel(rounds);
	return { robot: new Robot({ name: "bob", model, localTools: [double], ...options }), model };
}

const said = (robot: Robot): readonly string[] =>
	robot.messages.map((message) => (message.type === "tool_call" ? "call" : message.content));

/** Notes every family it is called for. */
class Order extends Hook {
	static override readonly namespace = "order";
	readonly seen: string[];
	readonly label: string;
	constructor(seen: string[], label: string) {
		super();
		this.seen = seen;
		this.label = label;
	}
	override async aroundRun(_: HookContext<"run">, next: HookNext<"run">): Promise<RobotResult> {
		this.seen.push(`${this.label} run`);
		const result = await next();
		this.seen.push(`${this.label} ran`);
		return result;
	}
	override beforeLlmGeneration(): void {
		this.seen.push(`${this.label} generation`);
	}
	override beforeToolCall(context: HookContext<"toolCall">): void {
		this.seen.push(`${this.label} ${context.toolName}`);
	}
}

describe("the hooks of a robot", () => {
	it("stand around run, generation and calls: those of the process outside, then the robot's, then the run's", async () => {
		const seen: string[] = [];
		const { robot } = robotWith([callDouble(1), callDouble(2), "done"], { hooks: [new Order(seen, "robot")] });
		using _ = registerHook(new Order(seen, "global"));
		await robot.run("hi", { hooks: [new Order(seen, "run")] });
		const scopes = (what: string): string[] => ["global", "robot", "run"].map((scope) => `${scope} ${what}`);
		expect(seen).toEqual([
			...scopes("run"),
			...scopes("generation"),
			...scopes("double"),
			...scopes("double"),
			...scopes("ran").toReversed(),
		]);
	});

	it("change the message for the model and the history", async () => {
		const { robot, model } = robotWith(["fine"], {
			hooks: [
				{
					...named,
					beforeRun: (context) => {
						context.message += "!";
					},
				},
			],
		});
		await robot.run("hi");
		expect(model.calls[0]?.prompt.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "hi!" }] });
		expect(said(robot)).toEqual(["hi!", "fine"]);
	});

	it("change what was said within the generation, below what the robot has learned", async () => {
		const hook = {
			...named,
			beforeLlmGeneration: (context: HookContext<"llmGeneration">) => {
				context.message = "secret gone";
			},
		};
		const { robot, model } = robotWith(["fine"], { hooks: [hook] });
		await robot.learn("be brief");
		await robot.run("my secret");
		expect(JSON.stringify(model.calls[0]?.prompt)).toContain("- be brief\\n\\nsecret gone");
		expect(said(robot)).toEqual(["secret gone", "fine"]);
	});

	it("may take the place of what stands beside calls that were not made any more, in the history too", async () => {
		const afterLlmGeneration = (context: FinishedHookContext<"llmGeneration">): void => {
			context.result = { ...context.result, text: context.result.text.replace("4711", "…") };
		};
		const asking = { text: "pin 4711", toolCalls: [{ name: "double", args: { n: 1 } }] };
		const { robot, model } = robotWith([asking, "ok"], { maxToolRounds: 0, hooks: [{ ...named, afterLlmGeneration }] });
		const result = await robot.run("x");
		expect([result.stopReason, result.lastTextContent]).toEqual(["tool_limit", "pin …"]);
		expect(said(robot).slice(0, 3)).toEqual(["x", "pin …", "call"]);
		await robot.run("y");
		expectValidHistory(model.calls[1]?.prompt ?? []);
	});

	it("put another answer in the place of the model's, in the result and in the history", async () => {
		const afterLlmGeneration = (context: FinishedHookContext<"llmGeneration">): void => {
			context.result = { ...context.result, text: context.result.text.replace("4711", "****") };
		};
		const { robot, model } = robotWith([callDouble(1), "it is 4711", "ok"], { hooks: [{ ...named, afterLlmGeneration }] });
		expect((await robot.run("the code?")).lastTextContent).toBe("it is ****");
		expect(said(robot)).toEqual(["the code?", "call", "2", "it is ****"]);
		await robot.run("again");
		expect(JSON.stringify(model.calls[2]?.prompt)).not.toContain("4711");
		expectValidHistory(model.calls[2]?.prompt ?? []);
	});

	it("answer without asking the model, and the history has it", async () => {
		const aroundLlmGeneration = async () => ({ text: "from a cache", stopReason: "stop" as const, usage: {} });
		const { robot, model } = robotWith([], { hooks: [{ ...named, aroundLlmGeneration }] });
		expect(await robot.run("hi")).toMatchObject({ lastTextContent: "from a cache", stopReason: "stop" });
		expect(said(robot)).toEqual(["hi", "from a cache"]);
		expect(model.calls).toEqual([]);
	});

	it("set a call's arguments, which are checked then, and its result, which is what the model reads", async () => {
		const results: string[] = [];
		const hook = {
			...named,
			beforeToolCall: (context: HookContext<"toolCall">) => {
				context.args = { n: "many" };
			},
			afterToolCall: (context: FinishedHookContext<"toolCall">) => {
				results.push(context.result.text);
				context.result = { text: "kept back", isError: false };
			},
		};
		const { robot } = robotWith([callDouble(1), "done"], { hooks: [hook] });
		const { toolCalls } = await robot.run("hi");
		expect(results).toEqual([expect.stringContaining("invalid arguments")]);
		expect(toolCalls).toMatchObject([{ content: "kept back", isError: false, tool: { args: { n: 1 } } }]);
	});

	it("refuse a call: the tool is not run", async () => {
		let ran = 0;
		const tool = createTool({ name: "wipe", description: "Wipes.", execute: () => void ran++ });
		const refuse = { ...named, aroundToolCall: async () => ({ text: "Error (refused): not today", isError: true }) };
		const { robot } = robotWith([{ toolCalls: [{ name: "wipe" }] }, "done"], { localTools: [tool], hooks: [refuse] });
		expect((await robot.run("hi")).toolCalls).toMatchObject([{ content: "Error (refused): not today", isError: true }]);
		expect(ran).toBe(0);
		await expect(
			new Robot({ name: "control", model: new ScriptedModel([{ toolCalls: [{ name: "wipe" }] }, "done"]), localTools: [tool] }).run("hi"),
		).resolves.toMatchObject({ stopReason: "stop" });
		expect(ran).toBe(1);
	});

	it("end the run with what they throw at a call, when every call of the round has its result", async () => {
		const failure = new Error("audit is down");
		const beforeToolCall = ({ args }: HookContext<"toolCall">): void => {
			if ((args as { n: number }).n === 1) throw failure;
		};
		const twice: ScriptedRound = {
			toolCalls: [
				{ name: "double", args: { n: 1 } },
				{ name: "double", args: { n: 2 } },
			],
		};
		const { robot, model } = robotWith([twice, "on we go"], { hooks: [{ ...named, beforeToolCall }] });
		await expect(robot.run("hi")).rejects.toBe(failure);
		expect(said(robot)).toEqual(["hi", "call", "Error (double): audit is down", "4"]);
		expect((await robot.run("and now?")).lastTextContent).toBe("on we go");
		expectValidHistory(model.calls[1]?.prompt ?? []);
	});

	it("are told of a run that fails, whose log says so", async () => {
		const errors: unknown[] = [];
		const failure = new Error("no model");
		const robot = new Robot({
			name: "bob",
			model: new ScriptedModel([failure]),
			retries: 0,
			hooks: [{ ...named, onError: ({ family, error }) => void errors.push(family, error) }],
		});
		const stream = robot.stream("hi");
		const error = await stream.result.catch((reason: unknown) => reason);
		expect(errors).toEqual(["llmGeneration", error, "run", error]);
		expect((error as Error).cause).toBe(failure);
		expect((stream.log as EventLog).after(0).at(-2)).toMatchObject({ event: "run.failed" });
	});

	it("answer the whole run in its place", async () => {
		const own = new RobotResult({
			id: "1",
			robotName: "stand-in",
			output: [],
			toolCalls: [],
			stopReason: "other",
			createdAt: new Date(),
			durationMs: 0,
		});
		const { robot, model } = robotWith([], { hooks: [{ ...named, aroundRun: async () => own }] });
		expect(await robot.run("hi")).toBe(own);
		expect([model.calls.length, robot.messages.length]).toEqual([0, 0]);
	});

	it("are added by withHooks, and refused where they are none", async () => {
		const seen: string[] = [];
		const { robot } = robotWith(["a"], { hooks: [new Order(seen, "first")] });
		await robot.withHooks(new Order(seen, "second")).run("hi");
		expect(seen.slice(0, 2)).toEqual(["first run", "second run"]);
		expect(() => robot.withHooks({ namespace: "n", beforRun: () => {} } as never)).toThrow("beforeRun");
		await expect(robot.run("hi", { hooks: [{} as never] })).rejects.toThrow("hooks[0]");
	});

	it("are told what is learned, and may change it", async () => {
		const learned: (readonly string[])[] = [];
		const hook = {
			...named,
			beforeLearn: (c: HookContext<"learn">) => {
				c.text = c.text.toUpperCase();
			},
			onLearn: (c: FinishedHookContext<"learn">) => void learned.push(c.result),
		};
		const { robot } = robotWith([], { hooks: [hook] });
		await robot.learn("brief is better");
		expect([robot.learnings, learned]).toEqual([["BRIEF IS BETTER"], [["BRIEF IS BETTER"]]]);
	});

	it("make a history shorter in the robot's place", async () => {
		const onCompaction = (context: HookContext<"compaction">): void => {
			context.compactedMessages = context.messages.slice(-2);
		};
		const { robot } = robotWith(["one", "two"], { hooks: [{ ...named, onCompaction }] });
		await robot.run("a");
		await robot.run("b");
		await robot.compressHistory();
		expect(said(robot)).toEqual(["b", "two"]);
	});
});
