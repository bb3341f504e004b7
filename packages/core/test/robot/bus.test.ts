import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnyMessageBus } from "../../src/bus/any-message-bus.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { BusError } from "../../src/errors/bus-error.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Robot } from "../../src/robot/robot.js";
import { EventLog } from "../../src/stream/event-log.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";

const buses: AnyMessageBus[] = [];
afterEach(async () => {
	for (const bus of buses.splice(0)) await bus.close();
});
const newBus = (log?: EventLog): MessageBus => {
	const bus = new MessageBus(log === undefined ? {} : { log });
	buses.push(bus);
	return bus;
};
const robot = (name: string, bus: MessageBus | undefined, ...answers: readonly (string | Error)[]): Robot =>
	new Robot({ name, model: new ScriptedModel(answers), retries: 0, ...(bus && { bus }) });

describe("A robot on a bus", () => {
	it("serves: what it is sent is answered by runs of its own, one after the other, in one conversation", async () => {
		const bus = newBus();
		const [alice, bob] = [robot("alice", bus), robot("bob", bus, "A joke.", "Another.")];
		bob.serve();
		const sent = await Promise.all([
			alice.sendMessage({ to: "bob", content: "Tell me a joke." }),
			alice.sendMessage({ to: "bob", content: { task: "another", tone: "dry" } }),
		]);
		const replies = await Promise.all(sent.map((message) => message.reply()));
		expect(replies.map(({ from, content }) => [from, content])).toEqual([
			["bob", "A joke."],
			["bob", "Another."],
		]);
		expect(bob.messages.map((message) => "content" in message && message.content)).toEqual([
			"Tell me a joke.",
			"A joke.",
			"task: another\ntone: dry",
			"Another.",
		]);
	});

	it("answers nothing where its model fails: the message is dead, and whoever waits for an answer is told why", async () => {
		const bus = newBus();
		const [alice, bob] = [robot("alice", bus), robot("bob", bus, new Error("no line"))];
		bob.serve();
		const sent = await alice.sendMessage({ to: "bob", content: "Hello" });
		await expect(sent.reply()).rejects.toMatchObject({ code: "not_delivered", message: expect.stringContaining("no line") });
		expect([...bus.deadLetters].map(({ message, reason, attempts }) => [message.content, reason, attempts])).toEqual([
			["Hello", "failed", 1],
		]);
		expect(bob.messages).toEqual([]);
	});

	it("answers nothing where its run ends before there is an answer, and what there is where that is cut", async () => {
		const bus = newBus();
		const call = { toolCalls: [{ name: "look", args: {} }] };
		const look = createTool({ name: "look", description: "Looks", parameters: { type: "object" }, execute: () => "nothing" });
		const bob = new Robot({
			name: "bob",
			model: new ScriptedModel([call, call, { text: "Half", finishReason: "length" }]),
			localTools: [look],
			maxToolRounds: 1,
			bus,
		});
		bob.serve();
		const alice = bus.join("alice");
		await expect((await alice.sendMessage({ to: "bob", content: "Look." })).reply()).rejects.toThrow(/"tool_limit"/);
		expect((await (await alice.sendMessage({ to: "bob", content: "Speak." })).reply()).content).toBe("Half");
	});

	it("is stopped when its time is up; its message is dead and nobody is answered", async () => {
		const bus = newBus();
		const [alice, bob] = [robot("alice", bus), new Robot({ name: "bob", model: new ScriptedModel([() => new Promise(() => {})]), bus })];
		bob.serve({ ackTimeoutMs: 20 });
		const sent = await alice.sendMessage({ to: "bob", content: "Hello" });
		expect(await sent.settled()).toMatchObject([{ state: "dead", reason: "timed_out", attempts: 1 }]);
		expect(alice.outbox).toMatchObject([{ status: "dead", replies: [] }]);
	});

	it("runs beneath its delivery, which runs beneath the bus, in one log", async () => {
		const log = new EventLog();
		const bus = newBus(log);
		const [alice, bob] = [robot("alice", bus), robot("bob", bus, "Hi.")];
		bob.serve();
		await (await alice.sendMessage({ to: "bob", content: "Hello" })).reply();
		await bus.idle();
		await bus.close();
		assertWholeLog(log.after(0));
		const begun = log.after(0).flatMap(({ event, data }) => (event === "run.started" ? [data] : []));
		expect(begun.map(({ scope, name }) => [scope, name])).toEqual([
			["bus", "bus"],
			["delivery", "bob"],
			["robot", "bob"],
		]);
		expect(begun.slice(1).map(({ parentRunId }) => parentRunId)).toEqual(begun.slice(0, -1).map(({ runId }) => runId));
	});

	it("takes a bus with typed channels as well", async () => {
		const bus = new MessageBus({ channels: { bob: z.object({ task: z.string() }) } });
		buses.push(bus);
		const alice = new Robot({ name: "alice", model: new ScriptedModel([]), bus });
		const bob = new Robot({ name: "bob", model: new ScriptedModel(["Done."]), bus });
		bob.serve();
		await expect(alice.sendMessage({ to: "bob", content: "no record" })).rejects.toMatchObject({ code: "invalid_content" });
		const sent = await alice.sendMessage({ to: "bob", content: { task: "sweep" } });
		expect((await sent.reply()).content).toBe("Done.");
	});

	it("stays where it is when it is changed, and is moved by withBus() alone", () => {
		const bus = newBus();
		const bob = robot("bob", bus).update({ systemPrompt: "Be brief." });
		expect(bob.bus).toBe(bus);
		expect(() => bob.update({ bus } as never)).toThrow(/withBus\(bus\)/);
		const other = newBus();
		expect(bob.withBus(other).bus).toBe(other);
		expect([bus.names, other.names]).toEqual([[], ["bob"]]);
		bob.leaveBus();
		expect(bob.update({ systemPrompt: "Be long." }).bus).toBeUndefined();
	});

	it("is not made with what is no bus, and sends nothing without one", async () => {
		expect(() => robot("bob", {} as MessageBus)).toThrow(ConfigurationError);
		await expect(robot("bob", undefined).sendMessage({ to: "alice", content: "x" })).rejects.toMatchObject({ code: "no_bus" });
	});
});

describe("robot.spawn()", () => {
	it("makes a robot with the same model on the same bus, a new one where there is none", async () => {
		const model = new ScriptedModel(["First.", "Second."]);
		const dispatcher = new Robot({ name: "dispatcher", model });
		const workers = [dispatcher.spawn({ name: "worker", systemPrompt: "One" }), dispatcher.spawn({ name: "worker", systemPrompt: "Two" })];
		expect(workers.map(({ bus }) => bus)).toEqual([dispatcher.bus, dispatcher.bus]);
		expect(dispatcher.bus?.names).toEqual(["dispatcher", "worker"]);
		for (const worker of workers) worker.serve();
		const sent = await dispatcher.sendMessage({ to: "worker", content: "Do this." });
		expect(sent.recipients).toBe(2);
		await sent.settled();
		await dispatcher.bus?.idle();
		expect(dispatcher.outbox[0]?.replies.map(({ content }) => content)).toEqual(["First.", "Second."]);
		await dispatcher.bus?.close();
	});

	it("has its own say about its model, by an option or a config, and a name of its own by default", () => {
		const [mine, other] = [new ScriptedModel([]), new ScriptedModel([])];
		const bus = newBus();
		const parent = new Robot({ name: "parent", model: "offline", bus });
		const names = [parent.spawn(), parent.spawn({ model: mine }), parent.spawn({ config: { model: other, temperature: 1 } })];
		expect(names.map(({ name, model }) => [name, model])).toEqual([
			["robot", "offline"],
			["robot", `${mine.provider}/${mine.modelId}`],
			["robot", `${other.provider}/${other.modelId}`],
		]);
	});

	it("joins no bus for a robot that cannot be made, and makes none on a bus that is closed", async () => {
		const parent = robot("parent", undefined);
		expect(() => parent.spawn({ nmae: "x" } as never)).toThrow(/"nmae"/);
		expect(parent.bus).toBeUndefined();
		const bus = newBus();
		const onIt = robot("parent", bus);
		await bus.close();
		expect(() => onIt.spawn()).toThrow(BusError);
	});
});
