import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InferenceError } from "../../src/errors/inference-error.js";
import { TaskRunnerError } from "../../src/errors/task-runner-error.js";
import { Memory } from "../../src/memory/memory.js";
import { Network } from "../../src/network/network.js";
import { NetworkProjection } from "../../src/network/network-projection.js";
import { Robot } from "../../src/robot/robot.js";
import type { RunOptions } from "../../src/robot/run-options.js";
import { EventLog } from "../../src/stream/event-log.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { taskRunnerRobots } from "../../src/testing/task-runner-robots.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { serveTasks } from "../../src/threads/task-server.js";
import { ThreadTaskRunner } from "../../src/threads/task-thread-runner.js";

const file = new URL("fixtures/task-robots.mjs", import.meta.url);
const mortals = new URL("fixtures/task-mortals.mjs", import.meta.url);
const runner = new ThreadTaskRunner({ worker: file });
afterAll(() => runner.close());

const withoutTimes = (text = ""): string => text.replaceAll(/\d+ ms/g, "");
const impatient = { maxRetries: 1, sleep: async () => {} };

describe("a network whose robots are in a worker", () => {
	it("runs there and is drawn from its log here", async () => {
		const network = new Network({ name: "tea", runner })
			.task("facts", runner.robot("researcher"))
			.task("poem", runner.robot("poet"))
			.task("page", runner.robot("editor"), { dependsOn: ["facts", "poem"] });
		const log = new EventLog();
		const projection = new NetworkProjection();
		log.subscribe((event) => projection.observe(event));
		const result = await network.run({ message: "Write about tea.", log });
		expect(result).toMatchObject({ status: "done", lastTextContent: "Tea is old. O tea!" });
		expect(withoutTimes(projection.drawing?.visualize())).toBe(withoutTimes(network.visualize(result)));
		assertWholeLog(log.after(0));
		const robots = log.after(0).flatMap(({ event, data }) => (event === "run.started" && data.scope === "robot" ? [data] : []));
		expect(robots.map(({ name, input }) => [name, input])).toEqual([
			["researcher", "Write about tea."],
			["poet", "Write about tea."],
			["editor", 'Write about tea.\n\nResult of "facts":\nTea is old.\n\nResult of "poem":\nO tea!'],
		]);
		const usage = log.after(0).filter(({ event, data }) => event === "usage.updated" && data.usageScope === "run");
		expect(usage).toHaveLength(3);
	});

	it("has robots of both threads, each where it is, whatever names they share", async () => {
		const here = new Robot({ name: "echo", model: new ScriptedModel("here") });
		const network = new Network({ name: "mixed", runner }).task("there", runner.robot("echo")).task("here", here, { memory: new Memory() });
		const { status, results } = await network.run({ message: "go" });
		expect([status, JSON.parse(results.there?.lastTextContent ?? "{}").message, results.here?.lastTextContent]).toEqual([
			"done",
			"go",
			"here",
		]);
	});

	it("may have networks in it, whose runs are told beneath its task", async () => {
		const log = new EventLog();
		const network = new Network({ name: "outer", runner }).task("a", runner.robot("nested"));
		expect(await network.run({ message: "go", log })).toMatchObject({ status: "done", lastTextContent: "2" });
		assertWholeLog(log.after(0));
		const begun = log.after(0).flatMap(({ event, data }) => (event === "run.started" ? [`${data.scope} ${data.name}`] : []));
		expect(begun).toEqual(["network outer", "task a", "network inner", "task one", "robot one", "task two", "robot two"]);
	});

	it("is told which robots there are where it asks for another", async () => {
		const { tasks } = await new Network({ name: "lab", runner })
			.task("a", runner.robot("researchr"), { retries: 5 })
			.run({ message: "go" });
		expect(tasks.a).toMatchObject({ state: "failed", attempts: 1 });
		expect(ConfigurationError.isInstance(tasks.a.error)).toBe(true);
		expect(String(tasks.a.error)).toMatch(/serves no robot "researchr"\. Did you mean "researcher"\? It serves echo, counter, .*nested/);
	});

	it("refuses what would be lost: a memory of a task's own, hooks for robots, a context that is no JSON", async () => {
		const lab = (options: object = {}): Network => new Network({ name: "lab", runner, ...options });
		const echo = runner.robot("echo");
		const audit = { namespace: "audit", aroundToolCall: (_context: unknown, next: () => unknown) => next() };
		const errorOf = async (network: Network<"a">): Promise<unknown> => (await network.run({ message: "go" })).tasks.a.error;
		for (const [network, what] of [
			[lab().task("a", echo, { memory: new Memory() }), /The task "a" has a memory of its own for "echo", which runs in another thread/],
			[lab({ hooks: [audit] }).task("a", echo), /The task "a" has the hook "audit" of its network for "echo"/],
			[lab().task("a", echo, { context: { at: () => {} } }), /The context of the task "a": value\.at is a function/],
		] as const) {
			const error = await errorOf(network);
			expect(ConfigurationError.isInstance(error) && error.message).toMatch(what);
		}
	});

	it("has its hooks for networks and tasks called here, and its functions use its memory", async () => {
		const told: string[] = [];
		const hook = {
			namespace: "audit",
			beforeTask: () => told.push("task"),
			afterNetworkRun: () => told.push("network"),
			onError: () => told.push("error"),
		};
		const network = new Network({ name: "lab", runner, hooks: [hook] }).task("a", runner.robot("echo"), {
			input: ({ memory }) => {
				memory.set("asked", true);
				return "go";
			},
			context: () => ({ at: new Date(0) }),
		});
		const { lastTextContent } = await network.run({ message: "x" });
		expect(JSON.parse(lastTextContent ?? "")).toMatchObject({ message: "go", context: { at: "1970-01-01T00:00:00.000Z" } });
		expect(network.memory.get("asked")).toBe(true);
		expect(told).toEqual(["task", "network"]);
	});
});

describe("a robot in a worker", () => {
	const boss = new Robot({ name: "boss", model: new ScriptedModel([]) });

	it("can be handed work", async () => {
		const { delegatedBy, robotName, lastTextContent } = await boss.delegate(runner.robot("counter"), "handed on");
		expect([delegatedBy, robotName, lastTextContent]).toEqual(["boss", "counter", "1"]);
		const future = boss.delegate(runner.robot("obedient"), "go");
		future.cancel();
		expect(await future).toMatchObject({ stopReason: "aborted", lastTextContent: "AbortError" });
		await expect(boss.delegate(runner.robot("deaf"), "go", { timeoutMs: 5 })).rejects.toMatchObject({ code: "delegation_timeout" });
		const failed = await boss.delegate(runner.robot("failing"), "inference").catch((error: unknown) => error);
		expect(InferenceError.isInstance(failed)).toBe(true);
		await expect(boss.delegate(runner.robot("junk"), "7")).rejects.toThrow(ConfigurationError);
	});

	it("is told in the log of the run above, and stopped with it", async () => {
		const log = new EventLog();
		const asking = new Network({ name: "lab" }).task("a", {
			name: "asker",
			run: async (_message, options = {}) => {
				const left = runner.robot("obedient").run("left behind", { parent: options.parent });
				left.catch(() => {});
				return runner.robot("talker").run("Look.", { parent: options.parent });
			},
		});
		expect(await asking.run({ message: "go", log })).toMatchObject({ status: "done", lastTextContent: "There is a door." });
		assertWholeLog(log.after(0));
		const begun = log.after(0).filter(({ event, data }) => event === "run.started" && data.scope === "robot");
		expect(begun.map(({ data }) => "name" in data && data.name)).toEqual(["talker"]);
	});

	it("refuses options that cannot cross, each with what to do instead", async () => {
		const robot = runner.robot("echo");
		const refused: Readonly<Record<string, RunOptions>> = {
			memory: { memory: { a: 1 } },
			hooks: { hooks: [] },
			with: { with: "https://example.com/a.png" },
			onContent: { onContent: () => {} },
			schema: { schema: { type: "object" } },
			inherited: { inherited: {} },
		};
		for (const [option, options] of Object.entries(refused)) {
			await expect(robot.run("go", options), option).rejects.toThrow(`"echo" runs in another thread and cannot be given ${option} there. `);
		}
		await expect(robot.run("go", { contxt: {} } as RunOptions)).rejects.toThrow('run() knows no option "contxt"');
		await expect(robot.run(" ")).rejects.toThrow("run() needs a message of text");
		await expect(robot.run("go", { parent: {} as never })).rejects.toThrow(/parent must be the run that a tool is given/);
		const { lastTextContent } = await robot.run("go", { context: { a: 1 }, tools: ["t"], mcp: "none" });
		expect(JSON.parse(lastTextContent ?? "")).toMatchObject({ message: "go", context: { a: 1 }, tools: ["t"], mcp: "none" });
		expect(() => runner.robot(7 as never)).toThrow(ConfigurationError);
	});
});

describe("a worker that ends in the middle", () => {
	it.each([
		["exit", /ended with code 3/],
		["throw", /ended with code 1: out of luck/],
	])("fails what ran in it, and another takes its place: %s", async (how, why) => {
		await using own = new ThreadTaskRunner({ worker: mortals });
		const log = new EventLog();
		const network = new Network({ name: "lab", runner: own, onFailure: "settle" })
			.task("dies", own.robot("dying"), { retries: impatient })
			.task("waits", own.robot("waiter"), { retries: { maxRetries: 0 } });
		const { tasks } = await network.run({ message: how, log });
		expect(tasks.dies).toMatchObject({ state: "failed", attempts: 2, error: { code: "worker_lost", message: expect.stringMatching(why) } });
		expect(TaskRunnerError.isInstance(tasks.dies.error)).toBe(true);
		expect(tasks.waits).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
		assertWholeLog(log.after(0));
		expect(log.after(0).filter(({ event, data }) => event === "run.failed" && data.scope === "robot")).toHaveLength(2);
		expect(await own.robot("counter").run("go")).toMatchObject({ lastTextContent: "1" });
	});

	it("leaves a call open that it was making, which the log closes", async () => {
		await using own = new ThreadTaskRunner({ worker: file });
		const log = new EventLog();
		await new Network({ name: "lab", runner: own }).task("breaks", own.robot("breaker")).run({ message: "go", log });
		assertWholeLog(log.after(0));
		const parts = log.after(0).flatMap(({ event, data }) => (event.startsWith("part.") && "type" in data ? [`${event} ${data.type}`] : []));
		expect(parts).toEqual(["part.created tool-call", "part.completed tool-call", "part.created tool-output", "part.failed tool-output"]);
		expect(log.after(0).find(({ event }) => event === "run.failed")).toMatchObject({
			data: { scope: "robot", error: { code: "worker_lost" }, recoverable: true },
		});
	});

	it("is the end of a runner that was given it, as it has no other", async () => {
		const worker = new Worker(mortals);
		const given = new ThreadTaskRunner({ worker });
		await expect(given.robot("dying").run("exit")).rejects.toMatchObject({ code: "worker_lost" });
		await expect(given.robot("counter").run("go")).rejects.toThrow(/The thread in which "counter" runs is gone/);
		await expect(new ThreadTaskRunner({ worker }).robot("counter").run("go")).rejects.toMatchObject({ code: "worker_lost" });
	});

	it("says why it never began", async () => {
		await using missing = new ThreadTaskRunner({ worker: new URL("no-such-file.mjs", import.meta.url) });
		await expect(missing.robot("counter").run("go")).rejects.toThrow(/no-such-file\.mjs/);
		await using silent = new ThreadTaskRunner({ worker: () => new Worker("", { eval: true }) });
		await expect(silent.robot("counter").run("go")).rejects.toThrow(/ended with code 0/);
		await using none = new ThreadTaskRunner({ worker: () => 7 as never });
		await expect(none.robot("counter").run("go")).rejects.toThrow(ConfigurationError);
	});
});

describe("new ThreadTaskRunner()", () => {
	it("starts as many workers as it may while all have work, and no more", async () => {
		await using two = new ThreadTaskRunner({ worker: mortals, size: 2 });
		const threadsOf = async (count: number): Promise<ReadonlySet<string | undefined>> => {
			const results = await Promise.all(Array.from({ length: count }, () => two.robot("thread").run("go")));
			return new Set(results.map(({ lastTextContent }) => lastTextContent));
		};
		expect((await threadsOf(1)).size).toBe(1);
		expect((await threadsOf(10)).size).toBe(2);
		expect((await threadsOf(1)).size).toBe(1);
	});

	it("ends what it started: when it is closed, and one to which its port is lost", async () => {
		const started: Worker[] = [];
		const own = new ThreadTaskRunner({
			worker: () => {
				const worker = new Worker(mortals);
				started.push(worker);
				return worker;
			},
		});
		await own.robot("counter").run("go");
		started[0]?.emit("messageerror", new Error("unreadable"));
		const ended = once(started[0] as Worker, "exit");
		expect(await own.robot("counter").run("go")).toMatchObject({ lastTextContent: "1" });
		await ended;
		await own.close();
		expect(started.map(({ threadId }) => threadId)).toEqual([-1, -1]);
	});

	it("keeps no process alive by a worker that has nothing to do", async () => {
		const host = fileURLToPath(new URL("fixtures/task-host.mjs", import.meta.url));
		const { stdout } = await promisify(execFile)(process.execPath, [host]);
		expect(stdout).toBe("1\n");
	});

	it("fails what runs when it is closed, runs nothing afterwards, and leaves a worker alone that it was given", async () => {
		const worker = new Worker(mortals);
		const given = new ThreadTaskRunner({ worker });
		await given.robot("counter").run("before");
		const listeners = worker.listenerCount("message");
		const other = new ThreadTaskRunner({ worker });
		const running = other.robot("waiter").run("go");
		await Promise.resolve();
		await other.close();
		await other.close();
		const refused = await running.catch((error: unknown) => error);
		expect([TaskRunnerError.isInstance(refused), refused]).toEqual([true, expect.objectContaining({ code: "closed" })]);
		await expect(other.robot("counter").run("go")).rejects.toThrow(/was closed, and runs nothing any more/);
		const { tasks } = await new Network({ name: "lab", runner: other })
			.task("a", other.robot("counter"), { retries: 5 })
			.run({ message: "go" });
		expect(tasks.a).toMatchObject({ state: "failed", attempts: 1, error: { code: "closed" } });
		expect([worker.listenerCount("message"), worker.listenerCount("error")]).toEqual([listeners, 1]);
		expect(await given.robot("counter").run("before")).toMatchObject({ lastTextContent: "2" });
		await given.close();
		await worker.terminate();
	});

	it.each([
		[undefined],
		[{}],
		[{ worker: "file.js" }],
		[{ worker: null }],
		[{ worker: file, size: 0 }],
		[{ worker: file, size: 1.5 }],
		[{ worker: file, sise: 2 }],
		[{ worker: new MessageChannel().port1, size: 1 }],
	])("refuses %j", (options) => {
		expect(() => new ThreadTaskRunner(options as never)).toThrow(ConfigurationError);
	});
});

describe("serveTasks()", () => {
	const over = (ports: { readonly port1: MessagePort; readonly port2: MessagePort }): ThreadTaskRunner => {
		serveTasks({ robots: taskRunnerRobots(), port: ports.port2 });
		return new ThreadTaskRunner({ worker: ports.port1 });
	};

	it("shares its port with others", async () => {
		const channel = new MessageChannel();
		const given = over(channel);
		const other = new ThreadTaskRunner({ worker: channel.port1 });
		const results = await Promise.all([given.robot("echo").run("one"), other.robot("echo").run("two"), given.robot("echo").run("three")]);
		const messages = results.map(({ lastTextContent }) => JSON.parse(lastTextContent ?? "").message);
		expect(messages).toEqual(["one", "two", "three"]);
		const running = [given.robot("obedient").run("go"), other.robot("waiter").run("go")];
		await given.close();
		await expect(running[0]).rejects.toMatchObject({ code: "closed" });
		expect(await other.robot("echo").run("go")).toMatchObject({ robotName: "echo" });
		channel.port1.close();
		await expect(running[1]).rejects.toMatchObject({ code: "worker_lost" });
	});

	it("may be there in both threads of a port, each for the other", async () => {
		const { port1, port2 } = new MessageChannel();
		for (const port of [port1, port2]) serveTasks({ robots: taskRunnerRobots(), port });
		const [one, other] = [new ThreadTaskRunner({ worker: port1 }), new ThreadTaskRunner({ worker: port2 })];
		const results = await Promise.all([one, other].map((runner) => runner.robot("counter").run("go")));
		expect(results.map(({ lastTextContent }) => lastTextContent)).toEqual(["1", "1"]);
		await expect(one.robot("failing").run("inference")).rejects.toBeInstanceOf(InferenceError);
		port1.close();
	});

	it("can be stopped: what runs is aborted and fails at the other end as lost, once, and whoever comes later may serve there anew", async () => {
		const { port1, port2 } = new MessageChannel();
		const listeners = port2.listenerCount("message");
		const reasons: unknown[] = [];
		const begun = Promise.withResolvers<void>();
		const robot = {
			name: "r",
			run: (message: string, { signal }: RunOptions = {}) =>
				new Promise<never>((_resolve, reject) => {
					if (message === "last") begun.resolve();
					signal?.addEventListener("abort", () => {
						reasons.push(signal.reason);
						reject(new Error("told too late"));
					});
				}),
		};
		const said: unknown[] = [];
		port1.on("message", ({ kind, reason }) => said.push([kind, reason]));
		const service = serveTasks({ robots: [robot], port: port2 });
		const runners = [new ThreadTaskRunner({ worker: port1 }), new ThreadTaskRunner({ worker: port1 })];
		const running = runners.map((given, index) => given.robot("r").run(index === 1 ? "last" : "first"));
		const codes = Promise.all(running.map((run) => run.catch(({ code, message }) => [code, message])));
		await begun.promise;
		service.stop();
		service[Symbol.dispose]();
		expect(await codes).toEqual(Array(2).fill(["worker_lost", expect.stringContaining("(tasks are not served any longer)")]));
		expect(reasons.map(String)).toEqual(Array(2).fill("AbortError: tasks are not served any longer"));
		expect(port2.listenerCount("message")).toBe(listeners);
		await expect(runners[0]?.robot("r").run("again")).rejects.toMatchObject({ code: "worker_lost" });
		using again = serveTasks({ robots: taskRunnerRobots(), port: port2 });
		expect(await new ThreadTaskRunner({ worker: port1 }).robot("counter").run("go")).toMatchObject({ lastTextContent: "1" });
		expect([again, said.slice(0, 1), said.length]).toEqual([again, [["ended", "tasks are not served any longer"]], 2]);
		port1.close();
	});

	it("aborts what runs when the port is closed, and what ran at the other end fails", async () => {
		const channel = new MessageChannel();
		const aborted = Promise.withResolvers<unknown>();
		const robot = {
			name: "r",
			run: (_: string, { signal }: RunOptions = {}) =>
				new Promise<never>(() => signal?.addEventListener("abort", () => aborted.resolve(signal.reason))),
		};
		serveTasks({ robots: [robot], port: channel.port2 });
		const running = new ThreadTaskRunner({ worker: channel.port1 }).robot("r").run("go");
		const failed = expect(running).rejects.toMatchObject({ code: "worker_lost" });
		setTimeout(() => channel.port1.close(), 5);
		await failed;
		expect(await aborted.promise).toBeInstanceOf(DOMException);
	});

	it.each([
		[undefined],
		[{}],
		[{ robots: [] }],
		[{ robots: {} }],
		[{ robots: [7] }],
		[{ robots: { a: {} } }],
		[{ robots: { a: { run: () => {} } } }],
		[{ robots: [runner.robot("a"), runner.robot("a")] }],
		[{ robots: [runner.robot("a")], port: 7 }],
		[{ robots: [runner.robot("a")], prt: 7 }],
	])("refuses %j", (options) => {
		expect(() => serveTasks(options as never)).toThrow(ConfigurationError);
	});

	it("needs a port in the main thread, whose parent is none", () => {
		expect(() => serveTasks({ robots: [runner.robot("a")] })).toThrow(/main thread/);
	});
});
