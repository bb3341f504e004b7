import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { AnyMessageBus } from "../../src/bus/any-message-bus.js";
import type { Delivery } from "../../src/bus/delivery.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { RobotMessage } from "../../src/bus/robot-message.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { heldHandler, settledDown } from "./waiting.js";

describe("ask()", () => {
	it("comes to the first answer, as the message that it is", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("bob").respondToTasks(({ content }) => `${content as string}!`);
		const answer = await alice.ask({ to: "bob", content: "hi", timeoutMs: 60_000 });
		expect(answer).toMatchObject({ from: "bob", to: "alice", content: "hi!", inReplyTo: alice.outbox[0]?.message.key });
		expect(await alice.ask({ to: "bob", content: "again" })).toMatchObject({ content: "again!" });
		await bus.idle();
	});

	it("has one time for all of it: the waiting for room, and for the answer", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const { handler } = heldHandler();
		bus.join("full").onMessage(handler);
		bus.join("silent").onMessage(() => {});
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "full", content: 1 });
		for (const to of ["full", "silent"])
			await expect(alice.ask({ to, content: 2, timeoutMs: 5 })).rejects.toMatchObject({
				code: "timed_out",
				message: `No answer from "${to}" within 5 ms. Give it longer (timeoutMs), or see whether it answers at all.`,
			});
		await bus.close();
		expect([...bus.deadLetters].map(({ message }) => message.content)).toEqual([1]);
	});

	it("ends with its signal, wherever it is by then", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const { handler } = heldHandler();
		bus.join("full").onMessage(handler);
		const alice = bus.join("alice");
		const stop = new AbortController();
		const asking = [1, 2].map((content) => alice.ask({ to: "full", content, signal: stop.signal, timeoutMs: 60_000 }));
		await settledDown();
		stop.abort("enough");
		for (const each of asking) await expect(each).rejects.toBe("enough");
		await expect(alice.ask({ to: "full", content: 3, signal: stop.signal })).rejects.toBe("enough");
		await bus.close();
	});

	it("fails as sending and waiting do", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("nobody");
		await expect(alice.ask({ to: "nobody", content: 1 })).rejects.toMatchObject({ code: "not_delivered" });
		await expect(alice.ask({ to: "bop", content: 1 })).rejects.toMatchObject({ code: "unknown_recipient" });
		await expect(new BusMember("x").ask({ to: "bop", content: 1 })).rejects.toMatchObject({ code: "no_bus" });
		for (const junk of [
			null,
			{},
			{ to: "bob", content: 1, timeoutMs: -1 },
			{ to: "bob", content: 1, timeout: 1 },
			{ to: "bob", content: 1, signal: {} },
		])
			await expect(alice.ask(junk as never)).rejects.toThrow(ConfigurationError);
	});

	it("and reply() end when who asked leaves: no answer reaches it then", async () => {
		const bus = new MessageBus();
		const [alice, twin] = [bus.join("alice"), bus.join("alice")];
		const { handler } = heldHandler();
		bus.join("bob").onMessage(handler);
		const asking = alice.ask({ to: "bob", content: 1 });
		const others = twin.ask({ to: "bob", content: 2 });
		const sent = await alice.sendMessage({ to: "bob", content: 3 });
		await settledDown();
		alice.leaveBus();
		await expect(asking).rejects.toMatchObject({ code: "no_bus", message: expect.stringContaining("left the bus") });
		await expect(sent.reply()).rejects.toMatchObject({ code: "no_bus" });
		await bus.close();
		await expect(others).rejects.toMatchObject({ code: "not_delivered" });
	});
});

describe("bus.waitFor()", () => {
	it("resolves when somebody of that name has joined, on any bus of the transport", async () => {
		const transport = new InProcessTransport();
		const [one, other] = [new MessageBus({ transport }), new MessageBus({ transport })];
		const waiting = Promise.all([one.waitFor("bob"), one.waitFor("bob", { timeoutMs: 60_000 })]);
		await settledDown();
		other.join("bob").respondToTasks(() => "here");
		await waiting;
		await one.waitFor("bob");
		expect(await one.join("alice").ask({ to: "bob", content: 1 })).toMatchObject({ content: "here" });
	});

	it("ends with its time, its signal and its bus", async () => {
		const bus = new MessageBus();
		await expect(bus.waitFor("bob", { timeoutMs: 5 })).rejects.toMatchObject({
			code: "timed_out",
			message: expect.stringMatching(/^Nobody of the name "bob" has joined the bus within 5 ms\./),
		});
		await expect(bus.waitFor("bob", { signal: AbortSignal.abort("no") })).rejects.toBe("no");
		const stop = new AbortController();
		const stopped = [bus.waitFor("bob", { signal: stop.signal }), bus.waitFor("bob", { signal: stop.signal, timeoutMs: 60_000 })];
		stop.abort("stop");
		for (const each of stopped) await expect(each).rejects.toBe("stop");
		for (const name of [undefined, "", 1]) await expect(bus.waitFor(name as never)).rejects.toThrow(ConfigurationError);
		for (const options of [null, { timeout: 1 }, { timeoutMs: -1 }, { signal: {} }])
			await expect(bus.waitFor("bob", options as never)).rejects.toThrow(ConfigurationError);
		const waiting = bus.waitFor("bob");
		await settledDown();
		await bus.close();
		await expect(waiting).rejects.toMatchObject({ code: "closed" });
		await expect(bus.waitFor("bob")).rejects.toMatchObject({ code: "closed" });
	});
});

describe("An outbox", () => {
	it("has what was asked, and not what was answered", async () => {
		const bus = new MessageBus();
		const [alice, bob] = [bus.join("alice"), bus.join("bob")];
		bob.respondToTasks(() => "auto");
		const { key } = await alice.ask({ to: "bob", content: 1 });
		const late = await bob.sendReply({ to: "alice", content: "by hand", inReplyTo: alice.outbox[0]?.message.key ?? "" });
		const thanks = late.reply({ timeoutMs: 60_000 });
		await alice.sendReply({ to: "bob", content: "thanks", inReplyTo: late.key });
		expect(await thanks).toMatchObject({ content: "thanks" });
		expect([alice.outbox.length, bob.outbox, bob.outboxDropped, key.startsWith("bob:")]).toEqual([1, [], 0, true]);
	});

	it("is bounded also by what answers one message, before and after that is dropped", async () => {
		const bus = new MessageBus({ maxOutbox: 10, maxPending: 1 });
		const alice = bus.join("alice");
		const { handler } = heldHandler<RobotMessage>();
		bus.join("bob").onMessage(handler);
		const bob = bus.join("bob");
		let key = "";
		bob.onMessage((message) => {
			key = message.key;
		});
		const answer = async (count: number): Promise<void> => {
			for (let content = 0; content < count; content++) await bob.sendReply({ to: "alice", content, inReplyTo: key });
		};
		const sent = await alice.sendMessage({ to: "bob", content: "asked" });
		await settledDown();
		await answer(8);
		expect(alice.outbox[0]?.replies).toHaveLength(8);
		await answer(100);
		expect([alice.outbox, alice.outboxDropped]).toEqual([[], 109]);
		expect(await sent.reply()).toMatchObject({ content: 0 });
		expect((sent as unknown as { replies: unknown[] }).replies).toHaveLength(1);
		// one that waits for room is answered by who has it already
		const waiting = alice.sendMessage({ to: "bob", content: "waits" });
		await settledDown();
		await answer(100);
		expect(alice.outboxDropped).toBe(109 + 90);
		await bus.close();
		expect((await waiting).recipients).toBe(2);
		expect([alice.outbox, alice.outboxDropped]).toEqual([[], 109 + 90 + 11]);
	});
});

describe("The statistics of a bus", () => {
	it("count as throttled what waits for room, and nothing else", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const { handler } = heldHandler();
		bus.join("bob").onMessage(handler);
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "bob", content: 1 });
		await expect(alice.sendMessage({ to: "bob", content: 2, signal: AbortSignal.abort("no") })).rejects.toBe("no");
		for (const to of ["a", "b"]) await expect(alice.sendMessage({ to, content: 1 })).rejects.toThrow("nobody");
		expect(bus.stats.bob?.throttled).toBe(0);
		void alice.sendMessage({ to: "bob", content: 3 });
		expect(bus.stats.bob?.throttled).toBe(1);
		expect(Object.keys(bus.stats).sort()).toEqual(["alice", "bob"]);
		await bus.close();
	});

	it("of those who have left are kept for the last thousand, and go on where one comes back", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		const counted = bus.join("member 1500");
		counted.onMessage(() => {});
		await (await alice.sendMessage({ to: "member 1500", content: 1 })).settled();
		for (let place = 0; place < 1_600; place++) bus.join(`member ${place}`).leaveBus();
		await bus.idle();
		expect(Object.keys(bus.stats)).toHaveLength(1_000 + 2);
		counted.leaveBus();
		expect(bus.stats["member 1500"]).toMatchObject({ acked: 1 });
		expect([bus.stats["member 0"], bus.stats.alice]).toMatchObject([undefined, { delivered: 0 }]);
		const back = bus.join("member 1500");
		back.onMessage(() => {});
		await (await alice.sendMessage({ to: "member 1500", content: 1 })).settled();
		expect(bus.stats["member 1500"]).toMatchObject({ acked: 2, published: 2 });
	});
});

describe("A bus of any kind", () => {
	const channels = { critic: z.object({ text: z.string() }) };
	const bus = new MessageBus({ channels, name: "lab" });

	it("is taken wherever a bus is", () => {
		const any: AnyMessageBus = bus;
		const check = (): unknown => [new BusMember("a", any), new BusMember("b").withBus(any), new BusMember("c", bus)];
		expect(check()).toHaveLength(3);
		expectTypeOf(new BusMember("d", any)).toEqualTypeOf<BusMember<Record<never, never>, "d">>();
		expect([bus.name, new MessageBus().name]).toEqual(["lab", "bus"]);
		for (const name of ["", 1, null]) expect(() => new MessageBus({ name } as never)).toThrow(ConfigurationError);
	});

	it("knows what a delivery holds, as it does of a message", () => {
		const check = (): unknown =>
			bus.join("critic").onMessage((_message, delivery) => expectTypeOf(delivery).toEqualTypeOf<Delivery<{ text: string }>>());
		expectTypeOf(check).toBeFunction();
		const ask = () => bus.join("critic").ask({ to: "anybody", content: 1 });
		expectTypeOf<Awaited<ReturnType<typeof ask>>>().toEqualTypeOf<RobotMessage<{ text: string }>>();
		const options = { ackTimeoutMs: undefined, maxAttempts: undefined, retryDelayMs: undefined, ack: undefined };
		expect(() => new BusMember("x").onMessage(() => {}, options)).not.toThrow();
		expect(() => new MessageBus({ transport: undefined, log: undefined, parent: undefined, channels: undefined })).not.toThrow();
	});
});
