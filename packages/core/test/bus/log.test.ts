import { describe, expect, it } from "vitest";
import { BusProjection } from "../../src/bus/bus-projection.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { deferred } from "../../src/process/deferred.js";
import { EventLog } from "../../src/stream/event-log.js";
import { RunInside } from "../../src/stream/open-run.js";
import { RunPublisher } from "../../src/stream/run-publisher.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { settledDown } from "./waiting.js";

const projected = (events: readonly StreamEvent[]): BusProjection => {
	const projection = new BusProjection();
	for (const event of JSON.parse(JSON.stringify(events)) as StreamEvent[]) projection.observe(event);
	return projection;
};

const names = (events: readonly StreamEvent[]): string[] => events.map(({ event, data }) => `${data.scope} ${event}`);

describe("The log of a bus", () => {
	it("has the messages, a run for each attempt beneath it, and what is dead", async () => {
		const log = new EventLog();
		const bus = new MessageBus({ log, maxAttempts: 2 });
		bus.join("bob").respondToTasks(({ content }, { attempt, run }) => {
			run?.publish("looked", { attempt });
			if (content === "bad" || attempt === 1) throw new Error("boom");
			return { fine: true };
		});
		const alice = bus.join("alice");
		const good = await alice.sendMessage({ to: "bob", content: "good" });
		await bus.idle();
		const bad = await alice.sendMessage({ to: "bob", content: "bad" });
		expect(await bad.settled()).toMatchObject([{ reason: "failed" }]);
		await bus.close();
		const events = log.after(0);
		assertWholeLog(events);
		expect(names(events).slice(0, 14)).toEqual([
			"bus run.started",
			"bus bus.message",
			"delivery run.started",
			"delivery bus.delivery",
			"delivery looked",
			"delivery run.failed",
			"delivery run.started",
			"delivery bus.delivery",
			"delivery looked",
			"bus bus.message",
			"delivery run.completed",
			"bus bus.message",
			"delivery run.started",
			"delivery bus.delivery",
		]);
		expect(events[1]?.data).toMatchObject({ key: good.key, from: "alice", to: "bob", content: "good", recipients: 1 });
		expect(events[2]?.data).toMatchObject({ name: "bob", input: "good", parentRunId: events[0]?.data.runId });
		expect(events[3]?.data).toMatchObject({ key: good.key, attempt: 1 });
		expect(events[5]?.data).toMatchObject({ error: { code: "unexpected", message: "boom" } });
		const [dead] = events.filter(({ event }) => (event as string) === "bus.dead_letter");
		expect(dead?.data).toMatchObject({ key: bad.key, to: "bob", reason: "failed", attempts: 2, error: { message: "boom" } });

		const { messages } = projected(events);
		expect(messages).toMatchObject([
			{
				key: good.key,
				attempts: [
					{ attempt: 1, state: "failed", error: { message: "boom" } },
					{ attempt: 2, state: "acked" },
				],
				deaths: [],
			},
			{ from: "bob", to: "alice", content: { fine: true }, inReplyTo: good.key, attempts: [] },
			{ key: bad.key, attempts: [{ state: "failed" }, { state: "failed" }], deaths: [{ reason: "failed", attempts: 2 }] },
		]);
	});

	it("is whole also where handlers run out of time, are closed under, ack early, and are never ended", async () => {
		const log = new EventLog();
		const bus = new MessageBus({ log, ackTimeoutMs: 5, maxAttempts: 2 });
		const end = deferred<void>();
		bus.join("hangs").onMessage((_message, { run }) => {
			run?.begin({ name: "work", scope: "tool" });
			return new Promise(() => {});
		});
		bus.join("early").onMessage(
			(_message, delivery) => {
				delivery.ack();
				return end.promise;
			},
			{ ackTimeoutMs: 60_000 },
		);
		bus.join("closed").onMessage(() => new Promise(() => {}), { ackTimeoutMs: 60_000 });
		const alice = bus.join("alice");
		const sent = await alice.sendMessage({ to: "hangs", content: 1 });
		await alice.sendMessage({ to: "early", content: { a: 1 } });
		for (const content of [1, 2]) await alice.sendMessage({ to: "closed", content });
		await sent.settled();
		expect(log.after(0).filter(({ data }) => "reason" in data && data.reason === "timeout")).toHaveLength(2);
		end.resolve();
		await settledDown();
		await bus.close();
		const events = log.after(0);
		assertWholeLog(events);
		const states = projected(events).messages.map(({ to, attempts, deaths }) => [
			to,
			attempts.map(({ state }) => state),
			deaths.map(({ reason }) => reason),
		]);
		expect(states).toEqual([
			["hangs", ["interrupted", "interrupted"], ["timed_out"]],
			["early", ["acked"], []],
			["closed", ["interrupted"], ["closed"]],
			["closed", [], ["closed"]],
		]);
	});

	it("is part of that of the run beneath which the bus is, and the bus ends with it", async () => {
		const log = new EventLog();
		const root = RunPublisher.root(log, { name: "lab" });
		const bus = new MessageBus({ parent: new RunInside(root, undefined) });
		expect(bus.run?.publish("hello")).toBeDefined();
		let signal: AbortSignal | undefined;
		bus.join("bob").onMessage((_message, delivery) => {
			signal = delivery.run?.signal;
			return new Promise(() => {});
		});
		await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		expect(signal?.aborted).toBe(false);
		root.end({ event: "run.completed" });
		expect([bus.isClosed, signal?.aborted, bus.run?.publish("late")]).toEqual([true, true, undefined]);
		await bus.close();
		assertWholeLog(log.after(0));
		expect(new MessageBus().run).toBeUndefined();
		expect(() => new MessageBus({ log: new EventLog(), parent: new RunInside(root, undefined) })).toThrow("a log or a parent");
		expect(() => new MessageBus({ parent: new RunInside(root, undefined) })).toThrow("over");
		expect(() => new MessageBus({ log })).toThrow("without events");
	});

	it("can be drawn as a sequence diagram, whatever names and contents hold", async () => {
		const log = new EventLog();
		const bus = new MessageBus({ log });
		bus.join("bob").respondToTasks(() => "yes");
		bus.join('ev"il; <b>\n#end').onMessage(() => {
			throw new Error("a\nb: c");
		});
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "bob", content: "well?" });
		await bus.idle();
		await alice.sendMessage({ to: 'ev"il; <b>\n#end', content: { text: "x".repeat(200) } });
		await alice.sendMessage({ to: "bob", content: "  " });
		await bus.idle();
		expect(projected(log.after(0)).toMermaid().split("\n")).toEqual([
			"sequenceDiagram",
			"  participant p0 as alice",
			"  participant p1 as bob",
			"  participant p2 as ev#34;il#59; #60;b#62; #35;end",
			"  p0->>p1: well?",
			"  p1-->>p0: yes",
			`  p0->>p2: text#58; ${"x".repeat(74)}…`,
			"  Note over p2: dead#58; failed#58; a b#58; c",
			"  p0->>p1: #32;",
			"  p1-->>p0: yes",
		]);
		expect(new BusProjection().toMermaid()).toBe("sequenceDiagram");
	});

	it("may be one of several in one log, which the projection has all of, or one by its name or run", async () => {
		const log = new EventLog();
		const root = RunPublisher.root(log, { name: "lab" });
		const parent = new RunInside(root, undefined);
		const buses = ["front", "back"].map((name) => new MessageBus({ parent, name }));
		for (const bus of buses) {
			bus.join("bob").onMessage(() => {});
			await (await bus.join("alice").sendMessage({ to: "bob", content: bus.name })).settled();
		}
		for (const bus of buses) await bus.close();
		root.end({ event: "run.completed" });
		const messages = (bus?: string) => {
			const projection = new BusProjection({ bus });
			for (const event of log.after(0)) projection.observe(event);
			return projection.messages.map(({ content, attempts, busRunId }) => [content, attempts.length, busRunId]);
		};
		const [front, back] = buses.map(({ name, run }) => [name, 1, run?.runId]);
		expect(messages()).toEqual([front, back]); // of one key
		expect([messages("back"), messages(buses[0]?.run?.runId), messages("none")]).toEqual([[back], [front], []]);
		for (const options of [null, { bus: 1 }, { buss: "front" }])
			expect(() => new BusProjection(options as never)).toThrow(ConfigurationError);
	});

	it("of a robot or a network is nothing to the projection", () => {
		const log = new EventLog();
		const root = RunPublisher.root(log, { name: "lab" });
		root.publish("bus.message", { key: "a:1" });
		root.publish("bus.delivery", { key: "a:1", attempt: 1 });
		root.end({ event: "run.completed" });
		expect(projected(log.after(0)).messages).toEqual([]);
	});
});
