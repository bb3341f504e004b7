import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import { registerHook } from "../../src/hook/register-hook.js";
import { Network } from "../../src/network/network.js";
import { NetworkResult } from "../../src/network/network-result.js";
import { Robot } from "../../src/robot/robot.js";
import { EventLog } from "../../src/stream/event-log.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import { failing, resultOf, robotThat, saying, untilStopped } from "./robots.js";

const echo = robotThat((message) => message);
const lab = (...hooks: readonly Partial<Hook>[]): Network =>
	new Network({ name: "lab", hooks: hooks.map((hook) => ({ namespace: "test", ...hook }) as Hook) });

describe("hooks of a network", () => {
	it("stand around what its robots do as well, outside of the robots' own", async () => {
		const told: string[] = [];
		const hook = (scope: string): Hook => ({
			namespace: scope,
			beforeRun: ({ robotName }) => told.push(`${scope}: ${robotName} runs`),
			beforeToolCall: ({ toolName }) => told.push(`${scope}: ${toolName}`),
		});
		const tool = createTool({ name: "look", description: "Looks.", execute: () => "seen" });
		const model = new ScriptedModel([{ toolCalls: [{ name: "look" }] }, "done"]);
		const robot = new Robot({ name: "bob", model, localTools: [tool], hooks: [hook("robot")] });
		const network = new Network({ name: "lab", hooks: [hook("network")] }).task("a", robot);
		await network.run({ message: "go", hooks: [hook("run")] });
		const scopes = ["network", "run", "robot"];
		expect(told).toEqual([...scopes.map((scope) => `${scope}: bob runs`), ...scopes.map((scope) => `${scope}: look`)]);
	});

	it("stand around its run and each of its tasks: of the process, the network and the run", async () => {
		const told: string[] = [];
		const hook = (scope: string): Hook => ({
			namespace: scope,
			beforeNetworkRun: ({ networkName, input }) => told.push(`${scope}: before ${networkName}, ${input}`),
			afterNetworkRun: ({ result }) => told.push(`${scope}: after, ${(result as NetworkResult).status}`),
			beforeTask: ({ taskName, input }) => told.push(`${scope}: before ${taskName}, ${input}`),
			afterTask: ({ taskName }) => told.push(`${scope}: after ${taskName}`),
		});
		const subscription = registerHook(hook("process"));
		const network = new Network({ name: "lab", hooks: [hook("network")] }).task("a", echo);
		await network.run({ message: "go", hooks: [hook("run")] });
		subscription.unsubscribe();
		const scopes = ["process", "network", "run"];
		expect(told).toEqual([
			...scopes.map((scope) => `${scope}: before lab, go`),
			...scopes.map((scope) => `${scope}: before a, go`),
			...scopes.toReversed().map((scope) => `${scope}: after a`),
			...scopes.toReversed().map((scope) => `${scope}: after, done`),
		]);
	});

	it("may set the message of a network and of a task, and what a task comes to, which others then get", async () => {
		const network = lab({
			beforeNetworkRun: (context) => Object.assign(context, { input: "hooked" }),
			beforeTask: (context) => Object.assign(context, { input: `${context.input} for ${context.taskName}` }),
			afterTask: (context) => {
				if (context.taskName === "a") context.result = resultOf("replaced");
			},
		})
			.task("a", echo)
			.task("b", echo, { dependsOn: ["a"] });
		expect((await network.run({ message: "go" })).lastTextContent).toBe('hooked\n\nResult of "a":\nreplaced for b');
	});

	it("may answer for a task without its robot, and for a network without its tasks", async () => {
		const answered = await lab({ aroundTask: () => resultOf("cached") as never })
			.task("a", failing("never asked"))
			.run({ message: "go" });
		expect(answered).toMatchObject({ status: "done", lastTextContent: "cached", tasks: { a: { state: "done", attempts: 0 } } });
		const other = new NetworkResult({
			network: "lab",
			status: "done",
			durationMs: 0,
			value: "kept",
			results: [],
			tasks: [],
			activated: [],
		});
		const log = new EventLog();
		const network = lab({ aroundNetworkRun: () => other }).task("a", failing("never asked"));
		expect(await network.run({ message: "go", log })).toBe(other);
		assertWholeLog(log.after(0));
	});

	it("fail a task by what they throw, which its attempts do not try again, and are told of its failure", async () => {
		const errors: unknown[] = [];
		const network = lab({
			beforeTask: () => {
				throw new Error("not allowed");
			},
			onError: ({ family, error }) => errors.push([family, (error as Error).message]),
		}).task("a", saying("x"), { retries: 3, fallback: () => "x" });
		expect(await network.run({ message: "go" })).toMatchObject({
			status: "failed",
			tasks: { a: { attempts: 0, error: { message: "not allowed" } } },
		});
		expect(errors).toEqual([["task", "not allowed"]]);
	});

	it.each([
		[
			"throw",
			{
				beforeNetworkRun: () => {
					throw new Error("closed");
				},
			},
			/closed/,
		],
		["answer with something else", { aroundNetworkRun: () => "junk" }, /must answer with a NetworkResult, got "junk"/],
		[
			"set a message that is none",
			{ beforeNetworkRun: (context: object) => Object.assign(context, { input: 7 }) },
			/a message of text, got 7/,
		],
	])("around the whole that %s fail the run, whose log is whole", async (_, hook, message) => {
		const log = new EventLog();
		await expect(
			lab(hook as never)
				.task("a", saying("x"))
				.run({ message: "go", log }),
		).rejects.toThrow(message);
		assertWholeLog(log.after(0));
		expect(log.after(0).at(-2)).toMatchObject({ event: "run.failed" });
	});

	it.each([["junk" as unknown], [resultOf("x", "aborted")], [{ text: "x" }]])(
		"fail a task whose result they replace by what is none: %o",
		async (junk) => {
			const network = lab({
				aroundTask: async (_context, next) => {
					await next();
					return junk as never;
				},
			}).task("a", saying("x"));
			expect(await network.run({ message: "go" })).toMatchObject({ tasks: { a: { state: "failed" } } });
		},
	);

	it("are told of the signal, and do not keep a run from being cancelled", async () => {
		const stop = new AbortController();
		let seen: AbortSignal | undefined;
		const network = lab({
			aroundTask: ({ signal }, next) => {
				seen = signal;
				return next();
			},
		}).task("a", untilStopped());
		const run = network.run({ message: "go", signal: stop.signal });
		setImmediate(() => stop.abort());
		expect(await run).toMatchObject({ status: "cancelled", tasks: { a: { state: "cancelled" } } });
		expect(seen?.aborted).toBe(true);
	});
});

describe("tools and servers that a task or a network chooses", () => {
	const tool = (name: string): ReturnType<typeof createTool> =>
		createTool({ name, description: name, parameters: { type: "object" }, execute: () => name });

	it("count less than what the robot says itself, and do not travel on", async () => {
		const shown: Record<string, readonly string[]> = {};
		const robot = (name: string, tools?: readonly string[]): Robot =>
			new Robot({
				name,
				model: new ScriptedModel(({ tools: offered = [] }) => {
					shown[name] = offered.map((one) => one.name);
					return "x";
				}),
				localTools: [tool("read"), tool("write")],
				...(tools !== undefined && { tools }),
			});
		const network = new Network({ name: "lab", tools: ["write"] })
			.task("network", robot("network"))
			.task("task", robot("task"), { tools: "none", dependsOn: ["network"] })
			.task("robot", robot("robot", ["read"]), { tools: "none", dependsOn: ["task"] })
			.task("after", robot("after"), { dependsOn: ["robot"] });
		expect((await network.run({ message: "go" })).status).toBe("done");
		expect(shown).toEqual({ network: ["write"], task: [], robot: ["read"], after: ["write"] });
	});
});
