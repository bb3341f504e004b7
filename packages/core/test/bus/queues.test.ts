import { describe, expect, it, vi } from "vitest";
import { EventLoopTurn } from "../../src/bus/event-loop-turn.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { heldHandler, settledDown } from "./waiting.js";

describe("A queue that is full", () => {
	it("makes senders wait, in order, and takes one for each that is settled", async () => {
		const bus = new MessageBus({ maxPending: 2 });
		const { handler, release, given } = heldHandler<{ content: unknown }>();
		bus.join("bob").onMessage(handler);
		const alice = bus.join("alice");
		const taken: number[] = [];
		for (const content of [1, 2, 3, 4]) void alice.sendMessage({ to: "bob", content }).then(() => taken.push(content));
		await settledDown();
		expect(taken).toEqual([1, 2]);
		expect(bus.stats.bob).toMatchObject({ throttled: 2, waiting: 1, handling: 1, published: 2 });
		for (const expected of [
			[1, 2, 3],
			[1, 2, 3, 4],
		]) {
			release();
			await settledDown();
			expect(taken).toEqual(expected);
		}
		for (const _ of [1, 2]) {
			release();
			await settledDown();
		}
		await bus.idle();
		expect(given.map(({ content }) => content)).toEqual([1, 2, 3, 4]);
	});

	it("makes one wait whose message has room with others already, and whose answers come before it is told", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const { handler, release } = heldHandler();
		bus.join("bob").onMessage(handler);
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "bob", content: 0 });
		bus.join("bob").respondToTasks(() => "quick");
		const sending = alice.sendMessage({ to: "bob", content: 1 });
		await settledDown();
		expect(alice.outbox).toHaveLength(1);
		release();
		const sent = await sending;
		expect((await sent.reply()).content).toBe("quick");
		expect(sent.recipients).toBe(2);
		release();
		await settledDown();
		release();
		expect(await sent.settled()).toHaveLength(2);
		expect(alice.outbox.at(-1)).toMatchObject({ status: "replied" });
	});

	it("makes nobody wait whose signal is aborted, and the message is in no outbox", async () => {
		const bus = new MessageBus({ maxPending: 1 });
		const { handler, release, given } = heldHandler<{ content: unknown }>();
		bus.join("bob").onMessage(handler);
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "bob", content: 1 });
		const stop = new AbortController();
		const sending = alice.sendMessage({ to: "bob", content: 2, signal: stop.signal });
		void alice.sendMessage({ to: "bob", content: "unheeded", signal: stop.signal });
		stop.abort("enough");
		await expect(sending).rejects.toBe("enough");
		release();
		await bus.idle();
		expect(given.map(({ content }) => content)).toEqual([1]);
		expect(alice.outbox).toHaveLength(1);
		expect([...bus.deadLetters]).toEqual([]);
	});

	it("takes 10,000 messages to a slow one, without losing or reordering any", async () => {
		const bus = new MessageBus({ maxPending: 16 });
		const got: number[] = [];
		let most = 0;
		bus.join("slow").onMessage(async ({ content }) => {
			await Promise.resolve();
			most = Math.max(most, bus.stats.slow?.waiting ?? 0);
			got.push(content as number);
		});
		const alice = bus.join("alice");
		const sending = Array.from({ length: 10_000 }, (_, content) => alice.sendMessage({ to: "slow", content }));
		await Promise.all(sending);
		await bus.idle();
		expect(got).toEqual(Array.from({ length: 10_000 }, (_, content) => content));
		expect(most).toBeLessThan(16);
		expect(bus.stats.slow).toMatchObject({ published: 10_000, acked: 10_000, throttled: 10_000 - 16 });
		expect(alice.outbox).toHaveLength(1_000);
		expect(alice.outboxDropped).toBe(9_000);
	});
});

describe("A handler that sends", () => {
	it("to itself goes on behind its end, as often as it likes", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		let count = 0;
		let isInside = false;
		bob.onMessage(async () => {
			expect(isInside).toBe(false);
			isInside = true;
			count += 1;
			if (count < 5_000) await bob.sendMessage({ to: "bob", content: count });
			isInside = false;
		});
		await bob.sendMessage({ to: "bob", content: 0 });
		await bus.idle();
		expect(count).toBe(5_000);
		expect([...bus.deadLetters]).toEqual([]);
	});

	it("to its own full queue and waits for it has its time up, and the rest goes on", async () => {
		const bus = new MessageBus({ maxPending: 1, ackTimeoutMs: 5 });
		const bob = bus.join("bob");
		bob.onMessage(async ({ content }) => {
			if (content === "first") await bob.sendMessage({ to: "bob", content: "second" });
		});
		const sent = await bob.sendMessage({ to: "bob", content: "first" });
		expect(await sent.settled()).toMatchObject([{ reason: "timed_out" }]);
		await bus.idle();
		expect(bus.stats.bob).toMatchObject({ published: 2, acked: 1 });
	});

	it("in a ring of a thousand goes round without running out of stack", async () => {
		const bus = new MessageBus();
		const members = Array.from({ length: 1_000 }, (_, place) => bus.join(`r${place}`));
		for (const [place, member] of members.entries())
			member.onMessage(({ content }) => {
				if ((content as number) > 0) void member.sendMessage({ to: `r${(place + 1) % 1_000}`, content: (content as number) - 1 });
			});
		await members[0]?.sendMessage({ to: "r0", content: 20_000 });
		await bus.idle();
		expect(bus.stats.r0?.acked).toBe(21);
	});

	it("for ever leaves timers their turn, so that the bus can be closed", async () => {
		const bus = new MessageBus();
		for (const [name, to] of [
			["ping", "pong"],
			["pong", "ping"],
		] as const) {
			const member = bus.join(name);
			member.onMessage(() => void member.sendMessage({ to, content: 1 }).catch(() => {}));
		}
		await bus.join("alice").sendMessage({ to: "ping", content: 1 });
		await new Promise((resolve) => setTimeout(resolve, 5));
		await bus.close();
		expect(bus.stats.ping?.acked).toBeGreaterThan(1);
	});

	it("leaves the turn to others also where each step takes long", async () => {
		const bus = new MessageBus();
		let time = performance.now();
		const clock = vi.spyOn(performance, "now").mockImplementation(() => time);
		let handled = 0;
		bus.join("bob").onMessage(() => {
			time += 1;
			handled += 1;
		});
		const alice = bus.join("alice");
		let handledByThen = -1;
		for (let content = 0; content < 1_000; content++) void alice.sendMessage({ to: "bob", content });
		setImmediate(() => {
			handledByThen = handled;
		});
		await bus.idle();
		await settledDown();
		clock.mockRestore();
		expect(handled).toBe(1_000);
		expect(handledByThen).toBeGreaterThan(0);
		expect(handledByThen).toBeLessThan(100);
	});

	it("has its part of a turn's end to itself: one that fails holds up no other", async () => {
		const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
		const turn = new EventLoopTurn();
		const done: number[] = [];
		turn.atEnd(() => {
			throw new Error("boom");
		});
		turn.atEnd(() => void done.push(1));
		await turn.end;
		expect(done).toEqual([1]);
		expect(warned).toHaveBeenCalledWith(expect.stringContaining("boom"), { code: "ROBOT_LAB_BUS_FAILED" });
		warned.mockRestore();
	});

	it("what nobody handles to itself for ever, too", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("nobody");
		bus.deadLetters.on("deadLetter", () => void alice.sendMessage({ to: "nobody", content: 1 }).catch(() => {}));
		await alice.sendMessage({ to: "nobody", content: 1 });
		await new Promise((resolve) => setTimeout(resolve, 5));
		await bus.close();
		expect(bus.deadLetters.size).toBeGreaterThan(1);
	});
});
