import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InProcessTaskRunner } from "../../src/network/in-process-task-runner.js";
import { Network } from "../../src/network/network.js";
import type { NetworkOptions } from "../../src/network/network-options.js";
import type { LocalTask, TaskRequest, TaskRunner } from "../../src/network/task-runner.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import { EventLog } from "../../src/stream/event-log.js";
import { describeTaskRunner } from "../../src/testing/task-runner-contract.js";
import { taskRunnerRobots } from "../../src/testing/task-runner-robots.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { failing, resultOf, saying } from "./robots.js";

describeTaskRunner(
	"InProcessTaskRunner",
	() => {
		const robots = taskRunnerRobots();
		return { runner: new InProcessTaskRunner(), robot: (name) => robots.find((robot) => robot.name === name) as Delegate };
	},
	{ describe, it },
);

const runnerThat = (run: (request: TaskRequest, local: LocalTask) => unknown): TaskRunner => ({
	specificationVersion: "v1",
	name: "odd",
	run: run as TaskRunner["run"],
});

/** Runs tasks as it is, and keeps what it was asked for. */
function recording(): TaskRunner & { readonly asked: { readonly request: TaskRequest; readonly local: LocalTask }[] } {
	const inner = new InProcessTaskRunner();
	const asked: { readonly request: TaskRequest; readonly local: LocalTask }[] = [];
	const runner = runnerThat((request, local) => {
		asked.push({ request, local });
		return inner.run(request, local);
	});
	return { ...runner, asked };
}

const lab = (options: Partial<NetworkOptions> = {}): Network => new Network({ name: "lab", ...options });
const atOnce = (maxRetries: number) => ({ maxRetries, sleep: async () => {} });

describe("the runner of a network", () => {
	it("is asked for every attempt and every fallback, each with a key of its own, and for no function", async () => {
		const runner = recording();
		const network = lab({ runner, onFailure: "settle" })
			.task("a/b", failing("no"), { retries: atOnce(1), fallback: { ...saying("instead"), name: "stand-in" } })
			.task("b", failing("no"), { retries: atOnce(1), fallback: () => "text" });
		const log = new EventLog();
		const { status } = await network.run({ message: "go", log });
		expect(status).toBe("done");
		const id = log.after(0)[0]?.data.runId;
		expect(runner.asked.map(({ request: { key, task, robot } }) => [key, task, robot])).toEqual([
			[`${id}/1/a/b`, "a/b", "robot"],
			[`${id}/1/b`, "b", "robot"],
			[`${id}/2/a/b`, "a/b", "robot"],
			[`${id}/2/b`, "b", "robot"],
			[`${id}/fallback-2/a/b`, "a/b", "stand-in"],
		]);
	});

	it("gives runs of one network keys of their own, and one run beneath another those of its own run", async () => {
		const runner = recording();
		const network = lab({ runner }).task("a", saying("x"));
		const log = new EventLog();
		const outer = new Network({ name: "outer" }).task("inner", {
			name: "inner",
			run: async (message, options = {}) => {
				await Promise.all([network.run({ message, parent: options.parent as never }), network.run({ message })]);
				return resultOf("x");
			},
		});
		await outer.run({ message: "go", log });
		const keys = runner.asked.map(({ request: { key } }) => key);
		expect(new Set(keys).size).toBe(2);
		const beneath = log.after(0).find(({ event, data }) => event === "run.started" && data.scope === "network" && "parentRunId" in data);
		expect(keys).toContain(`${beneath?.data.runId}/1/a`);
	});

	it("is handed what can be sent, and beside it what is of this process alone", async () => {
		const runner = recording();
		const given = { at: new Date(0), name: "Ada" };
		const network = lab({ runner, tools: "none", mcp: ["files"] }).task("a", saying("x"), {
			context: given,
			tools: ["look"],
			timeoutMs: 60_000,
		});
		await network.run({ message: "go" });
		const [{ request, local } = expect.fail("nothing was asked")] = runner.asked;
		expect(JSON.parse(JSON.stringify(request))).toEqual({
			key: request.key,
			network: "lab",
			task: "a",
			robot: "robot",
			message: "go",
			context: { at: "1970-01-01T00:00:00.000Z", name: "Ada" },
			inherited: { task: { tools: ["look"] }, network: { tools: "none", mcp: ["files"] } },
		});
		expect({ ...request }).toMatchObject({ context: { name: "Ada" } });
		expect(local.options.context).toBe(given);
		expect([local.options.memory, local.hasOwnMemory]).toEqual([expect.anything(), false]);
	});

	it("reads a context only where it is to be sent: here it may hold anything", async () => {
		const seen: unknown[] = [];
		const give = (): number => 7;
		const robot: Delegate = {
			name: "r",
			run: async (_, options = {}) => {
				seen.push(options.context?.give);
				return resultOf("x");
			},
		};
		expect(await lab().task("a", robot, { context: { give } }).run({ message: "go" })).toMatchObject({ status: "done" });
		expect(seen).toEqual([give]);
		const sending = lab({ runner: runnerThat((request) => JSON.stringify(request)) }).task("a", robot, { context: { give }, retries: 3 });
		const { tasks } = await sending.run({ message: "go" });
		expect(tasks.a).toMatchObject({
			attempts: 1,
			error: { message: expect.stringMatching(/^The context of the task "a": value\.give is a function/) },
		});
	});

	it("may be another one for one run", async () => {
		const [usual, once] = [recording(), recording()];
		const network = lab({ runner: usual }).task("a", saying("x"));
		await network.run({ message: "go", runner: once });
		expect([usual.asked.length, once.asked.length]).toEqual([0, 1]);
		await network.run({ message: "go" });
		expect(usual.asked.length).toBe(1);
	});

	it.each([
		["null", null],
		["a function", () => {}],
		["a class", InProcessTaskRunner],
		["one without a name", { specificationVersion: "v1", run: () => {} }],
		["one of another version", { specificationVersion: "v2", name: "later", run: () => {} }],
	])("cannot be %s", async (_, runner) => {
		expect(() => lab({ runner: runner as never })).toThrow(ConfigurationError);
		await expect(
			lab()
				.task("a", saying("x"))
				.run({ message: "go", runner: runner as never }),
		).rejects.toThrow(ConfigurationError);
	});
});

describe("a runner that does not do what it should", () => {
	const deaf = (): Promise<never> => new Promise(() => {});

	it("fails the attempt by what it throws or rejects with, as a robot does, and is asked again", async () => {
		let asked = 0;
		const runner = runnerThat((request, local) => {
			asked += 1;
			if (asked === 1) throw new Error("thrown");
			if (asked === 2) return Promise.reject(new Error("rejected"));
			return local.robot.run(request.message, local.options);
		});
		const log = new EventLog();
		const result = await lab({ runner })
			.task("a", saying("x"), { retries: atOnce(2) })
			.run({ message: "go", log });
		expect(result).toMatchObject({ status: "done", tasks: { a: { attempts: 3 } } });
		assertWholeLog(log.after(0));
		const failures = log.after(0).flatMap(({ event, data }) => (event === "step.failed" ? [data.error.message] : []));
		expect(failures).toEqual(["thrown", "rejected"]);
	});

	it.each([[undefined], [null], [7], ["text"], [{}], [[]]])("fails the attempt for good with %j, which is no result", async (junk) => {
		const { tasks } = await lab({ runner: runnerThat(() => junk) })
			.task("a", saying("x"), { retries: atOnce(3) })
			.run({ message: "go" });
		expect(tasks.a).toMatchObject({
			state: "failed",
			attempts: 1,
			error: { message: expect.stringContaining("must come to a RobotResult") },
		});
	});

	it("has its results looked at as those of robots are: a record will do, an error or an abort will not", async () => {
		const answer = (result: unknown) =>
			lab({ runner: runnerThat(async () => result) })
				.task("a", saying("x"))
				.run({ message: "go" });
		expect(await answer(JSON.parse(JSON.stringify(resultOf("from afar"))))).toMatchObject({ status: "done", lastTextContent: "from afar" });
		expect(await answer(resultOf("half", "error").export())).toMatchObject({ tasks: { a: { error: { code: "task_error" } } } });
		expect(await answer(resultOf("half", "aborted").export())).toMatchObject({ tasks: { a: { error: { code: "task_aborted" } } } });
	});

	it("is left behind when it never ends, whether the time of the task is up or the run is stopped", async () => {
		const log = new EventLog();
		const late = await lab({ runner: runnerThat(deaf) })
			.task("a", saying("x"), { timeoutMs: 5 })
			.run({ message: "go", log });
		expect(late).toMatchObject({ status: "failed", tasks: { a: { error: { code: "task_timeout" } } } });
		const stop = new AbortController();
		const stopping = runnerThat(() => {
			stop.abort();
			return deaf();
		});
		const stopped = await lab({ runner: stopping }).task("a", saying("x")).run({ message: "go", signal: stop.signal });
		expect(stopped).toMatchObject({ status: "cancelled", tasks: { a: { state: "cancelled" } } });
		assertWholeLog(log.after(0));
	});
});
