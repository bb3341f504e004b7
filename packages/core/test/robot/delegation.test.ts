import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { DelegationTimeoutError } from "../../src/errors/delegation-timeout-error.js";
import { InferenceError } from "../../src/errors/inference-error.js";
import { RobotResult } from "../../src/message/robot-result.js";
import type { DelegateOptions } from "../../src/robot/delegate-options.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import { Robot } from "../../src/robot/robot.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import type { ToolContext } from "../../src/tool/tool.js";
import { canLookForSurvivors, endLiving, uniqueSleep, untilLiving } from "../process/living.js";

const worker = (...rounds: ScriptedRound[]): Robot => new Robot({ name: "worker", model: new ScriptedModel(rounds), retries: 0 });
const boss = new Robot({ name: "boss", model: new ScriptedModel([]) });
const hanging: ScriptedRound = { text: "half a", hang: true };
const as = (value: unknown): never => value as never;

/** A robot whose tool hands work on with what the test says, and answers with what comes of it. */
function asking(hand: (robot: Robot, context: ToolContext) => PromiseLike<RobotResult>, ...after: ScriptedRound[]): Robot {
	const robot: Robot = new Robot({
		name: "asking",
		model: new ScriptedModel([{ toolCalls: [{ name: "ask" }] }, ...after]),
		localTools: [
			createTool({
				name: "ask",
				description: "Asks another robot.",
				execute: async (_, context) => (await hand(robot, context)).lastTextContent ?? "nothing",
			}),
		],
	});
	return robot;
}

/** A robot whose only tool waits for its signal, and when it was told of it. */
function waiting(): { robot: Robot; told: Promise<void>; begun: Promise<void> } {
	const told = Promise.withResolvers<void>();
	const begun = Promise.withResolvers<void>();
	const wait = createTool({
		name: "wait",
		description: "Waits until it is stopped.",
		execute: async (_, { signal }) => {
			begun.resolve();
			await new Promise((resolve) => signal?.addEventListener("abort", resolve));
			told.resolve();
			return "stopped";
		},
	});
	const robot = new Robot({ name: "waiting", model: new ScriptedModel([{ toolCalls: [{ name: "wait" }] }, "later"]), localTools: [wait] });
	return { robot, told: told.promise, begun: begun.promise };
}

describe("robot.delegate()", () => {
	it("hands work on, and the result says who did, and how long it took", async () => {
		const amy = worker("done");
		const result = await boss.delegate(amy, "Do it");
		expect(result).toMatchObject({ robotName: "worker", delegatedBy: "boss", lastTextContent: "done", stopReason: "stop" });
		expect(result).toBeInstanceOf(RobotResult);
		expect(result.durationMs).toBeGreaterThan(0);
		expect(RobotResult.fromJSON(JSON.stringify(result)).delegatedBy).toBe("boss");
		expect(amy.messages.map((message) => message.type === "text" && message.content)).toEqual(["Do it", "done"]);
		expect(boss.messages).toEqual([]);
		expect((await worker("x").run("x")).delegatedBy).toBeUndefined();
	});

	it("begins at once, and may be kept: awaited once, twice, late or with then", async () => {
		const model = new ScriptedModel(["done"]);
		const future = boss.delegate(new Robot({ name: "worker", model }), "x");
		expect([future.robotName, future.delegatedBy, future.isSettled]).toEqual(["worker", "boss", false]);
		const [one, other, value, text] = await Promise.all([future, future, future.value(), future.then((result) => result.lastTextContent)]);
		expect([one === other, one === value, text, future.isSettled]).toEqual([true, true, "done", true]);
		expect(await future.value({ timeoutMs: 0 })).toBe(one);
		future.cancel();
		expect(await future).toBe(one);
		expect(model.calls).toHaveLength(1);
	});

	it("hands work to several at once, and to one several times", async () => {
		const amy = worker("a", "b", "c");
		const others = ["d", "e"].map((text) => worker(text));
		const results = await Promise.all([amy, amy, ...others, amy].map((each) => boss.delegate(each, "x")));
		expect(results.map(({ lastTextContent }) => lastTextContent)).toEqual(["a", "b", "d", "e", "c"]);
		expect(new Set(results.map(({ id }) => id)).size).toBe(5);
	});

	it("takes what a run takes", async () => {
		const amy = worker("done");
		const heard: string[] = [];
		await boss.delegate(amy, "x", {
			with: { data: new TextEncoder().encode("a,b"), mediaType: "text/csv" },
			memory: { a: 1 },
			onContent: ({ content }) => void heard.push(content),
			timeoutMs: 60_000,
		});
		expect([amy.messages[0], amy.memory.get("a"), heard.join("")]).toEqual([
			{ type: "text", role: "user", content: expect.stringContaining("a,b") },
			1,
			"done",
		]);
	});

	it.each([undefined, null, 5, "worker", {}, { name: "worker" }, { run: () => {} }, { name: 5, run: () => {} }])(
		"refuses who cannot be handed any work: %j",
		(to) => {
			expect(() => boss.delegate(as(to), "x")).toThrow(ConfigurationError);
			expect(() => boss.delegate(as(to), "x")).toThrow("hands work to a robot");
		},
	);
});

it("a result of another copy of the package is one", async () => {
	const record = { id: "1", robotName: "far", output: [{ type: "text", role: "assistant", content: "hi" }], toolCalls: [] };
	const far = { toJSON: () => ({ ...record, stopReason: "stop", createdAt: "2026-01-01T00:00:00.000Z" }) };
	const result = await new Robot({ name: "lead", model: "offline" }).delegate({ name: "far", run: async () => as(far) }, "x");
	expect(result).toBeInstanceOf(RobotResult);
	expect(result).toMatchObject({ lastTextContent: "hi", delegatedBy: "lead" });
});

describe("a delegate that fails", () => {
	const delegates: readonly (readonly [string, Delegate["run"], object])[] = [
		["throws at once", () => { throw new TypeError("no legs"); }, { name: "TypeError", message: "no legs" }], // biome-ignore format: one line
		["rejects", () => Promise.reject(new RangeError("no arms")), { name: "RangeError", message: "no arms" }],
		["answers with nothing", async () => as(undefined), { name: "ConfigurationError", message: expect.stringContaining("no RobotResult") }],
		["answers with something else", async () => as({ lastTextContent: "x" }), { name: "ConfigurationError" }],
		["answers without a promise", () => as("x"), { name: "ConfigurationError" }],
		["answers with what cannot be read", async () => as(new Proxy({}, { get: () => { throw new Error("unreadable"); } })), {}], // biome-ignore format: one line
	];

	it.each(delegates)("fails the future with it: one that %s", async (_, run, expected) => {
		const future = boss.delegate({ name: "odd", run }, "x", { timeoutMs: 60_000 });
		const failure: unknown = await future.then(
			() => "no failure",
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(Error);
		expect(failure).toMatchObject(expected);
		expect(future.isSettled).toBe(true);
		await expect(future.value()).rejects.toBe(failure);
	});

	it("fails it with what its own run failed with", async () => {
		await expect(boss.delegate(worker(new Error("no model")), "x")).rejects.toThrow(InferenceError);
		await expect(boss.delegate(worker("x"), "x", { context: { a: 1 } })).rejects.toThrow("there is no template");
	});

	it("and rejects with nothing is an end as any other", async () => {
		const future = boss.delegate({ name: "odd", run: () => Promise.reject(undefined) }, "x");
		expect(await future.then(() => "result", (error: unknown) => error)).toBeUndefined(); // biome-ignore format: one line
		expect(future.isSettled).toBe(true);
	});
});

describe("a deadline", () => {
	it("of delegate() stops the other robot: its tool is told", async () => {
		const { robot, told } = waiting();
		const future = boss.delegate(robot, "x", { timeoutMs: 5 });
		const failure: unknown = await Promise.resolve(future).catch((error: unknown) => error);
		expect(DelegationTimeoutError.isInstance(failure)).toBe(true);
		expect(failure).toMatchObject({ code: "delegation_timeout", robotName: "waiting", timeoutMs: 5 });
		await told;
	});

	it("of value() counts from then on, for whoever else waits, too", async () => {
		const { robot, told, begun } = waiting();
		const future = boss.delegate(robot, "x");
		await begun;
		const other = future.value({ timeoutMs: 60_000 });
		await expect(future.value({ timeoutMs: 0 })).rejects.toThrow('The robot "waiting" did not come to an end within 0 ms');
		await expect(other).rejects.toThrow(DelegationTimeoutError);
		await expect(future).rejects.toThrow(DelegationTimeoutError);
		await told;
		expect((await robot.run("And now?")).lastTextContent).toBe("later");
	});

	it("that is not reached changes nothing", async () => {
		const future = boss.delegate(worker("done"), "x", { timeoutMs: 60_000 });
		expect((await future.value({ timeoutMs: 60_000 })).lastTextContent).toBe("done");
	});

	it("that is none is refused, by delegate() before the work begins", async () => {
		const amy = worker("done");
		for (const timeoutMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5", null]) {
			expect(() => boss.delegate(amy, "x", { timeoutMs: as(timeoutMs) })).toThrow(ConfigurationError);
		}
		const future = boss.delegate(amy, "x");
		await expect(future.value({ timeoutMs: -1 })).rejects.toThrow(ConfigurationError);
		expect((await future).lastTextContent).toBe("done");
	});

	it.skipIf(!canLookForSurvivors)("ends a script of the other robot, and what that had started", async () => {
		const sleep = uniqueSleep();
		await using bundle = await temporarySkill({
			"SKILL.md": "---\nname: sleeper\ndescription: Sleep for a long time.\n---\n",
			"scripts/sleep.sh": `#!/bin/bash\nsleep ${sleep} &\nsleep ${sleep}\n`,
		});
		const model = new ScriptedModel([{ toolCalls: [{ name: "sleeper__sleep" }] }]);
		const robot = new Robot({ name: "worker", model, skills: new AgentSkillCatalog(bundle.root) });
		try {
			const future = boss.delegate(robot, "Sleep for a long time");
			expect(await untilLiving(sleep, 2)).toHaveLength(2);
			await expect(future.value({ timeoutMs: 0 })).rejects.toThrow(DelegationTimeoutError);
			expect(await untilLiving(sleep, 0)).toEqual([]);
		} finally {
			endLiving(sleep);
		}
	});
});

describe("who stops the work", () => {
	it("by cancel() has a result that says aborted, with what had been said", async () => {
		const stop = Promise.withResolvers<void>();
		const future = boss.delegate(worker(hanging), "x", { onContent: () => stop.resolve() });
		await stop.promise;
		future.cancel();
		future.cancel();
		expect(await future).toMatchObject({ stopReason: "aborted", lastTextContent: expect.stringMatching(/^half/), delegatedBy: "boss" });
	});

	it("by a signal of its own has the same, and leaves no listener on it", async () => {
		const stop = new AbortController();
		const future = boss.delegate(worker(hanging), "x", { signal: stop.signal, onContent: () => stop.abort() });
		expect((await future).stopReason).toBe("aborted");
		expect((await boss.delegate(worker("x"), "x", { signal: stop.signal })).stopReason).toBe("aborted");
		const calm = new AbortController();
		await boss.delegate(worker("x"), "x", { signal: calm.signal });
		expect(getEventListeners(calm.signal, "abort")).toEqual([]);
	});
});

describe("robots that hand work to each other", () => {
	it("and to themselves come to an end", async () => {
		const robot = asking((self) => self.delegate(self, "You do it"), "by myself", "I did it");
		const result = await robot.run("x");
		expect(result.toolCalls.map(({ content }) => content)).toEqual(["by myself"]);
		expect(result.lastTextContent).toBe("I did it");
		expect(robot.messages.map((message) => message.type === "text" && message.content).filter(Boolean)).toEqual([
			"You do it",
			"by myself",
			"x",
			"I did it",
		]);
	});

	it("and back to who handed it on come to an end", async () => {
		const middle = asking((self) => self.delegate(first, "Back to you"), "middle done");
		const first: Robot = asking((self) => self.delegate(middle, "For you"), "first, beneath", "first done");
		const result = await first.run("x");
		expect([result.lastTextContent, result.toolCalls[0]?.content]).toEqual(["first done", "middle done"]);
	});

	it("with parent have one log, in which the work stands beneath the call", async () => {
		const robot = asking((self, { run }) => self.delegate(worker("done"), "For you", run && { parent: run }), "all done");
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		const { toolCalls } = await robot.run("x");
		assertWholeLog(events);
		const starts = events.flatMap(({ event, data }) => (event === "run.started" ? [data] : []));
		expect(starts).toMatchObject([
			{ name: "asking", input: "x" },
			{ name: "worker", input: "For you", parentRunId: starts[0]?.runId, parentToolCallId: toolCalls[0]?.tool.id },
		]);
	});

	it("end with the run that they stand beneath, though nobody waits for them", async () => {
		const { robot: slow, told } = waiting();
		const robot = asking((self, { run }) => {
			self.delegate(slow, "x", run && { parent: run });
			return worker("later").run("x");
		}, "all done");
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		expect((await robot.run("x")).lastTextContent).toBe("all done");
		await told;
		assertWholeLog(events);
		expect(events.find(({ event }) => event === "run.interrupted")?.data).toMatchObject({ name: "waiting", reason: "parent_ended" });
	});

	it("without parent have a log each", async () => {
		const robot = asking((self) => self.delegate(worker("done"), "For you"), "all done");
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		await robot.run("x");
		expect(events.filter(({ event }) => event === "run.started")).toHaveLength(1);
	});
});

describe("a future", () => {
	it("is a promise with all that promises have", async () => {
		const failing = new Robot({ name: "worker", model: new ScriptedModel([new Error("down")]), retries: 0 });
		const working = new Robot({ name: "worker", model: new ScriptedModel(["done"]) });
		const from = new Robot({ name: "boss", model: new ScriptedModel([]) });
		let ends = 0;
		expect(await from.delegate(failing, "x").catch((error: Error) => error.message)).toContain("down");
		expect((await from.delegate(working, "x").finally(() => void ends++)).lastTextContent).toBe("done");
		expect(ends).toBe(1);
	});

	it("that nobody waits for ends no process, whatever becomes of the work", () => {
		const script = `
			import { Robot } from "@robot-lab/core";
			import { ScriptedModel } from "@robot-lab/core/testing";
			const boss = new Robot({ name: "boss", model: "offline" });
			const worker = (...rounds) => new Robot({ name: "worker", model: new ScriptedModel(rounds), retries: 0 });
			boss.delegate(worker(new Error("no model")), "x");
			boss.delegate({ name: "odd", run() { throw new Error("no legs"); } }, "x");
			boss.delegate({ name: "odd", run: async () => undefined }, "x");
			boss.delegate(worker({ hang: true }), "x", { timeoutMs: 1 });
			boss.delegate(worker({ hang: true }), "x").cancel();
			boss.delegate(worker("done"), "x", { timeoutMs: 2_000_000_000 });
			await boss.delegate(worker({ hang: true }), "x", { timeoutMs: 1 }).value().catch(() => {});
			if (process.argv[1] === "control") Promise.reject(new Error("nobody handles this"));
			process.on("exit", () => console.log("the end"));`;
		const run = (...args: string[]): ReturnType<typeof spawnSync> =>
			spawnSync(process.execPath, ["--input-type=module", "-e", script, ...args], {
				cwd: new URL("../..", import.meta.url),
				encoding: "utf8",
				timeout: 50_000,
			});
		const { status, stdout, stderr } = run();
		expect([status, stdout, stderr]).toEqual([0, "the end\n", ""]);
		expect(run("control").status).toBe(1);
	});

	const outcomes = fc.record({
		end: fc.constantFrom(
			"answers",
			"answers late",
			"rejects",
			"rejects late",
			"throws",
			"answers junk",
			"stops when told",
			"fails when told",
		),
		timeoutMs: fc.option(fc.constantFrom(0, 1, 60_000), { nil: undefined }),
		stop: fc.constantFrom("nobody", "cancel", "cancel later", "signal", "signal before", "value 0", "value 0 later"),
	});

	it("comes to one end, the same for everybody, whatever happens at once", async () => {
		const ends = new Set<string>();
		await fc.assert(
			fc.asyncProperty(outcomes, async ({ end, timeoutMs, stop }) => {
				const controller = new AbortController();
				if (stop === "signal before") controller.abort();
				const result = await worker("done").run("x");
				const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
				const run = (_: string, { signal }: { signal?: AbortSignal } = {}): Promise<RobotResult> => {
					if (end === "throws") throw new Error("thrown");
					return (async () => {
						if (end.endsWith("late")) await later();
						if (end.endsWith("told") && signal?.aborted === false)
							await new Promise((resolve) => signal.addEventListener("abort", resolve));
						if (end.startsWith("rejects") || end.startsWith("fails")) throw new Error("rejected");
						return end === "answers junk" ? as("junk") : result;
					})();
				};
				const options: DelegateOptions = { signal: controller.signal, ...(timeoutMs !== undefined && { timeoutMs }) };
				const future = boss.delegate({ name: "any", run }, "x", options);
				if (stop.endsWith("later")) await later();
				if (stop.startsWith("cancel")) future.cancel();
				if (stop === "signal") controller.abort();
				const value = future.value(stop.startsWith("value") ? { timeoutMs: 0 } : {});
				// what waits for ever unless somebody stops it is stopped in the end
				setImmediate(() => future.cancel());
				const settled = (await Promise.allSettled([future, value, future])).map((each) =>
					each.status === "fulfilled" ? each.value : (each.reason as unknown),
				);
				expect(future.isSettled).toBe(true);
				expect(new Set(settled).size).toBe(1);
				const [outcome] = settled;
				if (outcome instanceof RobotResult) expect(outcome.delegatedBy).toBe("boss");
				ends.add(outcome instanceof RobotResult ? "result" : ((outcome as Error).name ?? "other"));
			}),
			{ numRuns: 200 },
		);
		expect([...ends].sort()).toEqual(["ConfigurationError", "DelegationTimeoutError", "Error", "result"]);
	});
});
