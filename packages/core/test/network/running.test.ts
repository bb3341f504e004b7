import { describe, expect, it } from "vitest";
import { Memory } from "../../src/memory/memory.js";
import { Network } from "../../src/network/network.js";
import type { TaskFlow } from "../../src/network/task-options.js";
import { Robot } from "../../src/robot/robot.js";
import type { RunOptions } from "../../src/robot/run-options.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { gated, resultOf, robotThat, saying } from "./robots.js";

const lab = (concurrency = 16): Network => new Network({ name: "lab", concurrency });

describe("what a task receives", () => {
	it("is the network's message, and on a joiner all its branches behind it, each below its name", async () => {
		const asked: Record<string, string> = {};
		const noting = (name: string): ReturnType<typeof robotThat> =>
			robotThat((message) => {
				asked[name] = message;
				return `${name} says so`;
			});
		const network = lab()
			.task("a", noting("a"))
			.task("b", noting("b"))
			.task(
				"silent",
				robotThat(() => ({ ...resultOf("").toJSON(), output: [] })),
			)
			.task("join", noting("join"), { dependsOn: ["b", "a", "silent"] })
			.task("last", noting("last"), { dependsOn: ["join"] });
		await network.run({ message: "the question" });
		expect(asked).toEqual({
			a: "the question",
			b: "the question",
			join: 'the question\n\nResult of "b":\nb says so\n\nResult of "a":\na says so\n\nResult of "silent":\n(no text)',
			last: 'the question\n\nResult of "join":\njoin says so',
		});
	});

	it("is what input makes of the flow, which holds the results of what it depends on and nothing of others", async () => {
		const flows: TaskFlow[] = [];
		const network = lab()
			.task("a", saying("A"), { context: { own: "a" } })
			.task("b", saying("B"))
			.task(
				"c",
				robotThat((message) => message),
				{
					dependsOn: ["a"],
					context: { own: "c" },
					input: async (flow) => {
						flows.push(flow);
						return `${flow.results.a?.lastTextContent} and ${flow.context.shared}`;
					},
				},
			);
		const { results } = await network.run({ message: "go", context: { shared: "yes", own: "run" } });
		expect(results.c?.lastTextContent).toBe("A and yes");
		expect(flows[0]).toMatchObject({ task: "c", message: "go", context: { shared: "yes", own: "c" } });
		expect(Object.keys(flows[0]?.results ?? {})).toEqual(["a"]);
	});

	it("hands the robot its own context, its memory and its signal, and nothing of another task's", async () => {
		const given: Record<string, RunOptions> = {};
		const noting = (name: string): ReturnType<typeof robotThat> =>
			robotThat((_message, { ...options }) => {
				given[name] = options;
				return name;
			});
		const other = new Memory();
		const network = lab()
			.task("a", noting("a"), { context: { tone: "kind" }, memory: other })
			.task("b", noting("b"), { dependsOn: ["a"] })
			.task("c", noting("c"), { dependsOn: ["b"], context: ({ message }) => ({ asked: message }) });
		await network.run({ message: "go", context: { secret: true } });
		given.a?.memory && (given.a.memory as Memory).set("x", 1);
		expect(other.get("x")).toBe(1);
		expect(network.memory.has("x")).toBe(false);
		expect(given.a?.context).toEqual({ tone: "kind" });
		expect(given.b && "context" in given.b).toBe(false);
		expect(given.c?.context).toEqual({ asked: "go" });
		expect(given.b?.signal).toBeInstanceOf(AbortSignal);
	});

	it("fails the task where input makes no text, or the robot comes to no result", async () => {
		const network = new Network({ name: "lab", onFailure: "settle" })
			.task("input", saying("A"), { input: () => 7 as never })
			.task("throws", saying("A"), {
				input: () => {
					throw new Error("no input");
				},
			})
			.task(
				"junk",
				robotThat(() => ({ output: "x" })),
			)
			.task(
				"empty",
				robotThat(() => undefined),
			)
			.task("bare", { name: "bare", run: (() => 7) as never });
		const { tasks, status } = await network.run({ message: "go" });
		expect(status).toBe("failed");
		expect(tasks.input.error).toMatchObject({ message: 'The input of the task "input" must make text, and made 7.' });
		expect(tasks.throws.error).toMatchObject({ message: "no input" });
		for (const name of ["junk", "empty", "bare"] as const)
			expect(tasks[name]).toMatchObject({ state: "failed", error: { code: "configuration" } });
	});
});

describe("when a task starts", () => {
	it("is the moment at which what it waits for has ended, whatever else goes on", async () => {
		const [slow, quick] = [gated("slow"), gated("quick")];
		const after = gated("after");
		const network = lab()
			.task("slow", slow.robot)
			.task("quick", quick.robot)
			.task("after", after.robot, { dependsOn: ["quick"] });
		const run = network.run({ message: "go" });
		quick.open();
		// a barrier of levels would wait for slow here
		expect(await after.asked).toContain("quick");
		after.open();
		slow.open();
		expect(await run).toMatchObject({ status: "done" });
	});

	it("waits for a place where as many run as may, in the order of definition", async () => {
		const order: string[] = [];
		let atOnce = 0;
		let most = 0;
		const network = new Network<string>({ name: "lab", concurrency: 2 });
		for (const name of ["a", "b", "c", "d", "e"]) {
			const robot = robotThat(async () => {
				order.push(name);
				most = Math.max(most, ++atOnce);
				await new Promise((resolve) => setImmediate(resolve));
				atOnce--;
				return name;
			});
			network.task(name, robot);
		}
		await network.run({ message: "go" });
		expect({ order, most }).toEqual({ order: ["a", "b", "c", "d", "e"], most: 2 });
	});
});

describe("optional tasks", () => {
	const routed = (route: string): Network<"billing" | "technical" | "classifier" | "join"> =>
		lab()
			.task(
				"billing",
				robotThat((message) => `billing: ${message}`),
				{ dependsOn: "optional" },
			)
			.task("technical", saying("technical"), { dependsOn: "optional" })
			.task("classifier", saying(route), {
				next: ({ lastTextContent = "" }, flow) => lastTextContent !== "nobody" && flow.activate(lastTextContent),
			})
			.task(
				"join",
				robotThat((message) => message),
				{ dependsOn: ["classifier", "billing", "technical"] },
			);

	it("start when they are activated; a joiner waits for those and runs without the others", async () => {
		const result = await routed("billing").run({ message: "help" });
		expect(result.activated).toEqual(["billing"]);
		expect(result.tasks.technical).toEqual({ state: "skipped", durationMs: 0, attempts: 0 });
		expect(result.lastTextContent).toBe('help\n\nResult of "classifier":\nbilling\n\nResult of "billing":\nbilling: help');
		expect((await routed("nobody").run({ message: "help" })).lastTextContent).toBe('help\n\nResult of "classifier":\nnobody');
	});

	it("are given what the task that activated them came to, for their input", async () => {
		const network = lab()
			.task(
				"worker",
				robotThat((message) => message),
				{ dependsOn: "optional", input: ({ results }) => JSON.stringify(Object.keys(results)) },
			)
			.task("router", saying("go"), {
				next: (_result, flow) => {
					flow.activate("worker");
					flow.activate("worker");
				},
			});
		expect((await network.run({ message: "help" })).results.worker?.lastTextContent).toBe('["router"]');
	});

	it("start in the order of definition, and count as activated by who did so first", async () => {
		const order: string[] = [];
		const noting = robotThat(() => "x");
		const network = lab(1)
			.task("a", noting, {
				dependsOn: "optional",
				input: ({ task, results }) => {
					order.push(`${task} by ${Object.keys(results)}`);
					return "x";
				},
			})
			.task("b", noting, {
				dependsOn: "optional",
				input: ({ task, results }) => {
					order.push(`${task} by ${Object.keys(results)}`);
					return "x";
				},
			})
			.task("first", noting, {
				next: (_result, flow) => {
					flow.activate("b");
					flow.activate("a");
				},
			})
			.task("second", noting, { next: (_result, flow) => flow.activate("a") });
		await network.run({ message: "go" });
		expect(order).toEqual(["a by first", "b by first"]);
	});

	it("take a whole branch with them where nobody activates them", async () => {
		const network = lab()
			.task("billing", saying("b"), { dependsOn: "optional" })
			.task("refund", saying("r"), { dependsOn: ["billing"] })
			.task("receipt", saying("r"), { dependsOn: ["refund"] })
			.task("other", saying("o"));
		const { tasks, status } = await network.run({ message: "help" });
		expect(Object.values(tasks).map(({ state }) => state)).toEqual(["skipped", "skipped", "skipped", "done"]);
		expect(status).toBe("done");
	});

	it.each([
		["nobody", "unknown_task"],
		["classifer", "unknown_task"],
		["join", "not_optional"],
		[Symbol("billing"), "unknown_task"],
	])("fail the task that activates %s", async (name, code) => {
		const network = lab()
			.task("billing", saying("b"), { dependsOn: "optional" })
			.task("join", saying("j"))
			.task("classifier", saying("c"), { next: (_result, flow) => flow.activate(name as string) });
		const { tasks, status } = await network.run({ message: "help" });
		expect(status).toBe("failed");
		expect(tasks.classifier).toMatchObject({ state: "failed", error: { code } });
		expect(tasks.billing.state).toBe("skipped");
	});

	it("cannot be activated by what waits for them, nor by a task that is over", async () => {
		let late: unknown;
		const network = lab()
			.task("extra", saying("x"), { dependsOn: "optional" })
			.task("first", saying("f"), {
				next: (_result, flow) => {
					setImmediate(() => {
						try {
							flow.activate("extra");
						} catch (error) {
							late = error;
						}
					});
				},
			})
			.task(
				"join",
				robotThat(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve, "j")))),
				{
					dependsOn: ["first", "extra"],
					next: (_result, flow) => flow.activate("extra"),
				},
			);
		const { tasks } = await network.run({ message: "help" });
		expect(tasks.extra.state).toBe("skipped");
		expect(tasks.join).toMatchObject({ state: "failed", error: { code: "left_out" } });
		expect(late).toMatchObject({ code: "task_over" });
	});

	it("cannot be activated by a task that says it activates others", async () => {
		const lab = new Network<string>({ name: "lab" })
			.task("o", saying("o"), { dependsOn: "optional" })
			.task("p", saying("p"), { dependsOn: "optional" })
			.task("a", saying("a"), { next: (_, flow) => flow.activate("p"), activates: ["o"] });
		const { tasks } = await lab.run({ message: "go" });
		expect(tasks.a).toMatchObject({ state: "failed", error: { code: "unknown_task" } });
		expect(String(tasks.a?.error)).toContain('"a" activates "p", which its own activates does not name.');
	});

	it("are decided when next has come to its end, and not at all where it fails", async () => {
		const network = new Network({ name: "lab", onFailure: "settle" })
			.task("extra", saying("x"), { dependsOn: "optional" })
			.task("router", saying("r"), {
				next: async (_result, flow) => {
					flow.activate("extra");
					await Promise.resolve();
					throw new Error("changed my mind");
				},
			});
		expect((await network.run({ message: "help" })).tasks).toMatchObject({
			extra: { state: "skipped" },
			router: { state: "failed", attempts: 1 },
		});
	});
});

describe("the value of a network", () => {
	it("is the result of the last task that no other waits for", async () => {
		const network = lab()
			.task("a", saying("A"))
			.task("b", saying("B"), { dependsOn: ["a"] })
			.task("c", saying("C"));
		const result = await network.run({ message: "go" });
		expect(result.value).toBe(result.results.c);
		expect(result.lastTextContent).toBe("C");
	});

	it("is that of a task that nothing waits for, wherever that was defined", async () => {
		const network = lab().tasks({ join: { robot: saying("joined"), dependsOn: ["a"] }, a: { robot: saying("A") } });
		expect((await network.run({ message: "go" })).lastTextContent).toBe("joined");
	});

	it("is what a task halts with, or that task's result; the others are stopped", async () => {
		const { robot } = gated();
		const halting = (...values: [unknown?]): Network<"first" | "gated" | "after"> =>
			lab()
				.task("first", saying("enough"), { next: (_result, { halt }) => halt(...values) })
				.task(
					"gated",
					robotThat((message, options) => Promise.race([robot.run(message, options), aborted(options.signal)])),
				)
				.task("after", saying("after"), { dependsOn: ["first"] });
		const result = await halting("the answer").run({ message: "go" });
		expect(result).toMatchObject({ status: "halted", value: "the answer", lastTextContent: "the answer" });
		expect(Object.values(result.tasks).map(({ state }) => state)).toEqual(["done", "cancelled", "cancelled"]);
		expect((await halting().run({ message: "go" })).lastTextContent).toBe("enough");
	});
});

const aborted = (signal: AbortSignal | undefined): Promise<unknown> =>
	new Promise((resolve) => signal?.addEventListener("abort", () => resolve(resultOf("", "aborted"))));

describe("robots with models", () => {
	it("work in a network as they do alone, the same one in two tasks at once", async () => {
		const model = new ScriptedModel(["one", "two", "both"]);
		const robot = new Robot({ name: "r", model });
		const network = lab()
			.task("a", robot)
			.task("b", robot)
			.task("join", robot, { dependsOn: ["a", "b"] });
		const { results, lastTextContent } = await network.run({ message: "go" });
		expect([results.a?.lastTextContent, results.b?.lastTextContent].toSorted()).toEqual(["one", "two"]);
		expect(lastTextContent).toBe("both");
		expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Result of \\"b\\"');
	});
});
