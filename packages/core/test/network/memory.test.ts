import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/memory/memory.js";
import { Network } from "../../src/network/network.js";
import { Robot } from "../../src/robot/robot.js";
import { EventLog } from "../../src/stream/event-log.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";
import { robotThat, saying } from "./robots.js";

describe("the memory of a network", () => {
	it("is shared by its tasks, each of which is the writer of what it writes, and kept for the next run", async () => {
		const network = new Network({ name: "lab" });
		const writers: unknown[] = [];
		network.memory.subscribePattern("*", ({ key, writer }) => writers.push([key, writer]));
		const writing = robotThat((message, { memory }) => {
			(memory as Memory).set(message, 1);
			return message;
		});
		network.task("a", writing, { input: () => "from-a" }).task("b", writing, { input: () => "from-b", dependsOn: ["a"] } as never);
		await network.run({ message: "go" });
		network.memory.set("mine", 1);
		expect(writers).toEqual([
			["from-a", "a"],
			["from-b", "b"],
			["mine", "lab"],
		]);
	});

	it("knows which task a robot writes for, where one robot has several", async () => {
		const note = createTool({
			name: "note",
			description: "Notes something",
			parameters: { type: "object" },
			execute: (_input, { memory }) => void memory?.set("noted", true),
		});
		const call = { toolCalls: [{ name: "note", args: {} }] };
		const robot = new Robot({ name: "clerk", model: new ScriptedModel([call, "one", call, "two"]), localTools: [note] });
		const network = new Network({ name: "lab" }).task("first", robot).task("second", robot, { dependsOn: ["first"] });
		const writers: unknown[] = [];
		network.memory.subscribe("noted", ({ writer }) => writers.push(writer));
		await network.run({ message: "go" });
		expect(writers).toEqual(["first", "second"]);
	});

	it("can be waited on by a task while another works", async () => {
		const network = new Network({ name: "lab" })
			.task(
				"reader",
				robotThat(async (_message, { memory }) => String(await (memory as Memory).waitFor("found", { timeoutMs: 30_000 }))),
			)
			.task(
				"writer",
				robotThat((_message, { memory }) => {
					(memory as Memory).set("found", "it");
					return "written";
				}),
			);
		expect((await network.run({ message: "go" })).results.reader?.lastTextContent).toBe("it");
	});

	it("is another one for one run where that is given one", async () => {
		const network = new Network({ name: "lab" }).task(
			"a",
			robotThat((message, { memory }) => {
				(memory as Memory).set("said", message);
				return message;
			}),
		);
		const own = network.memory.clone();
		await network.run({ message: "go", memory: own });
		expect([own.get("said"), network.memory.get("said")]).toEqual(["go", undefined]);
	});
});

describe("network.broadcast()", () => {
	it("tells everybody who listens, the memory and the logs of the runs that go on", async () => {
		const heard: unknown[] = [];
		const network = new Network({ name: "lab" });
		const lab = network.task(
			"a",
			robotThat(() => {
				network.broadcast({ alarm: true });
				return "x";
			}),
		);
		process.removeAllListeners("warning");
		network.onBroadcast(() => {
			throw new Error("a listener that fails");
		});
		const second = network.onBroadcast(({ payload, network: name }) => heard.push([name, payload]));
		const log = new EventLog();
		const waiting = network.memory.waitFor("_network_broadcast");
		await lab.run({ message: "go", log });
		second.unsubscribe();
		network.broadcast("nobody hears it");
		expect(heard).toEqual([["lab", { alarm: true }]]);
		expect(await waiting).toMatchObject({ payload: { alarm: true } });
		const told = log.after(0).filter(({ event }) => event === ("network.broadcast" as string));
		expect(told).toMatchObject([{ data: { scope: "network", payload: { alarm: true } } }]);
	});

	it("tells all who listen a copy that nobody can change", () => {
		const network = new Network({ name: "lab" });
		const payload = { topics: ["tea"] };
		const heard: unknown[] = [];
		network.onBroadcast((message) => heard.push(message.payload));
		network.broadcast(payload);
		payload.topics.push("milk");
		expect(() => (heard[0] as typeof payload).topics.push("coffee")).toThrow(TypeError);
		expect(heard).toEqual([{ topics: ["tea"] }]);
	});

	it("tells nobody who has gone, even while it tells", () => {
		const network = new Network({ name: "lab" });
		const heard: string[] = [];
		network.onBroadcast(() => {
			heard.push("first");
			gone.unsubscribe();
			network.onBroadcast(() => heard.push("late"));
		});
		const gone = network.onBroadcast(() => heard.push("gone"));
		network.broadcast("hello");
		expect(heard).toEqual(["first"]);
	});

	it("refuses what is no plain data and listeners that are none", () => {
		const network = new Network({ name: "lab" }).task("a", saying("x"));
		expect(() => network.broadcast(() => {})).toThrow(/_network_broadcast/);
		expect(() => network.onBroadcast("hello" as never)).toThrow(/needs a function/);
	});
});
