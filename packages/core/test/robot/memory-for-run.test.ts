import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Memory } from "../../src/memory/memory.js";
import type { MemoryChange } from "../../src/memory/memory-change.js";
import { Robot } from "../../src/robot/robot.js";
import type { RunOptions } from "../../src/robot/run-options.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import type { ToolContext } from "../../src/tool/tool.js";

/** A robot whose tool keeps what it was told, and counts in the memory it was handed. */
function counting(name = "bob", runs = 5): { robot: Robot; contexts: ToolContext[] } {
	const contexts: ToolContext[] = [];
	const count = createTool({
		name: "count",
		description: "Counts.",
		execute: (_, context) => {
			contexts.push(context);
			const { memory } = context;
			memory?.set("count", (Number(memory.get("count")) || 0) + 1);
			return String(memory?.get("count"));
		},
	});
	const rounds = Array.from({ length: runs }, () => [{ toolCalls: [{ name: "count" }] }, "fine"]).flat();
	return { robot: new Robot({ name, model: new ScriptedModel(rounds), localTools: [count] }), contexts };
}

const counted = async (robot: Robot, options: RunOptions = {}): Promise<unknown> =>
	(await robot.run("x", options)).toolCalls.map(({ content }) => content);

describe("the memory of a robot", () => {
	it("is what its tools are handed, from run to run, and what they set is the robot's", async () => {
		const { robot, contexts } = counting();
		const changes: MemoryChange[] = [];
		robot.memory.subscribe("count", (change) => changes.push(change));
		expect([await counted(robot), await counted(robot)]).toEqual([["1"], ["2"]]);
		expect(robot.memory.get("count")).toBe(2);
		expect(changes.map(({ value, writer }) => [value, writer])).toEqual([
			[1, "bob"],
			[2, "bob"],
		]);
		expect(contexts.map(({ robotName }) => robotName)).toEqual(["bob", "bob"]);
	});

	it("is emptied by resetMemory(), and whoever listens is told; what was said stays", async () => {
		const { robot } = counting();
		await counted(robot);
		const kinds: string[] = [];
		robot.memory.subscribe("count", ({ kind }) => kinds.push(kind));
		robot.resetMemory();
		expect([robot.memory.get("count"), kinds, robot.messages.length]).toEqual([undefined, ["deleted"], 4]);
		expect(await counted(robot)).toEqual(["1"]);
	});

	it("is another for each robot", async () => {
		const [bob, amy] = [counting("bob"), counting("amy")];
		await counted(bob.robot);
		expect([await counted(amy.robot), bob.robot.memory.get("count")]).toEqual([["1"], 1]);
	});

	it("is not published", async () => {
		const { robot } = counting();
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		await robot.run("x", { memory: { token: "s3cret" } });
		expect(JSON.stringify(events)).not.toContain("s3cret");
	});
});

describe("another memory for one run", () => {
	it("is handed to the tools of that run alone, in the robot's name", async () => {
		const { robot } = counting();
		const shared = new Memory();
		shared.as("somebody").set("count", 40);
		const writers: unknown[] = [];
		shared.subscribe("count", ({ writer }) => writers.push(writer));
		expect(await counted(robot, { memory: shared })).toEqual(["41"]);
		expect(robot.memory.has("count")).toBe(false);
		expect(await counted(robot)).toEqual(["1"]);
		expect([shared.get("count"), writers]).toEqual([41, ["bob"]]);
	});

	it("may be shared by robots that run at once: each change has its own writer", async () => {
		const shared = new Memory();
		const writers: unknown[] = [];
		shared.subscribe("count", ({ writer }) => writers.push(writer));
		const names = ["bob", "amy", "eve"];
		await Promise.all(names.map((name) => counted(counting(name).robot, { memory: shared.as("nobody") })));
		expect([shared.get("count"), writers.sort()]).toEqual([3, ["amy", "bob", "eve"]]);
	});

	it("may be another robot's", async () => {
		const [bob, amy] = [counting("bob"), counting("amy")];
		await counted(bob.robot);
		expect(await counted(amy.robot, { memory: bob.robot.memory })).toEqual(["2"]);
	});
});

describe("values for a run", () => {
	it("are set in the robot's own memory, where they stay", async () => {
		const { robot } = counting();
		const writers: unknown[] = [];
		robot.memory.subscribe("user", ({ writer }) => writers.push(writer));
		const given = { count: 10, user: { name: "Ada" }, sessionId: "s-1" };
		expect(await counted(robot, { memory: given })).toEqual(["11"]);
		given.user.name = "Eve";
		expect(await counted(robot)).toEqual(["12"]);
		expect([robot.memory.get("user"), robot.memory.sessionId, writers]).toEqual([{ name: "Ada" }, "s-1", ["bob"]]);
	});

	it("may have no prototype, and may be none", async () => {
		const { robot } = counting();
		expect(await counted(robot, { memory: Object.assign(Object.create(null), { count: 5 }) })).toEqual(["6"]);
		expect(await counted(robot, { memory: {} })).toEqual(["7"]);
		expect(await counted(robot, { memory: JSON.parse('{"__proto__": {"count": 9}}') })).toEqual(["8"]);
		expect(robot.memory.get("__proto__")).toEqual({ count: 9 });
	});

	it.each<[string, unknown, string]>([
		["a number", 5, "memory must be a Memory or values by their keys, got 5"],
		["a text", "x", "memory must be"],
		["nothing", null, "memory must be"],
		["a list", [1], "memory must be"],
		["a map", new Map([["count", 1]]), "memory must be"],
		["an instance of a class, as a memory of another copy of the package is", new (class Memory {})(), "memory must be"],
		["a function among the values", { good: 1, bad: () => 1 }, '"bad"'],
		["a value that is none", { good: 1, bad: undefined }, '"bad"'],
		["a number that is none", { good: 1, deep: { bad: Number.NaN } }, "bad"],
		["the reserved key of the cache", { good: 1, cache: {} }, "cache"],
	])("that are none are refused, all of them, and the run leaves no trace: %s", async (_, memory, message) => {
		const { robot } = counting();
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		const failure: unknown = await robot.run("x", { memory: memory as never }).catch((error: unknown) => error);
		expect(ConfigurationError.isInstance(failure)).toBe(true);
		expect((failure as Error).message).toContain(message);
		// what is no record is seen before the run begins
		if (message.startsWith("memory must be")) expect(events).toEqual([]);
		else assertWholeLog(events);
		expect([robot.messages, robot.memory.keys()]).toEqual([[], []]);
		expect(await counted(robot)).toEqual(["1"]);
	});
});
