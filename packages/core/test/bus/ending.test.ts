import { describe, expect, it } from "vitest";
import type { BusConnection, BusListener, BusTransport, ChannelQueue, TransportDelivery } from "../../src/bus/bus-transport.js";
import type { Delivery } from "../../src/bus/delivery.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { deferred } from "../../src/process/deferred.js";
import { heldHandler, settledDown } from "./waiting.js";

const reasons = (bus: MessageBus): unknown[] =>
	[...bus.deadLetters].map(({ message, reason, attempts }) => [message.content, reason, attempts]);

describe("A member that leaves", () => {
	it("ends the message at hand, and what waits is dead, also what waits for room", async () => {
		const bus = new MessageBus({ maxPending: 2 });
		const bob = bus.join("bob");
		const { handler, release, given } = heldHandler();
		bob.onMessage(handler);
		const alice = bus.join("alice");
		const sent = [1, 2, 3].map((content) => alice.sendMessage({ to: "bob", content }));
		await settledDown();
		bob.leaveBus();
		const outcomes = (await Promise.all(sent)).map((each) => each.settled());
		expect(await outcomes[1]).toEqual([{ state: "dead", reason: "left", attempts: 0 }]);
		expect(await outcomes[2]).toEqual([{ state: "dead", reason: "left", attempts: 0 }]);
		expect(bus.names).toEqual(["alice"]);
		await expect(alice.sendMessage({ to: "bob", content: 4 })).rejects.toMatchObject({ code: "unknown_recipient" });
		release();
		expect(await outcomes[0]).toEqual([{ state: "acked" }]);
		await bus.idle();
		expect(given).toHaveLength(1);
		expect(bus.stats.bob).toMatchObject({ acked: 1, deadLettered: 2, waiting: 0, handling: 0 });
	});

	it("may answer what it had at hand, and settle it by hand", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		const end = deferred<void>();
		bob.onMessage(
			async (_message, delivery) => {
				bob.leaveBus();
				await end.promise;
				await delivery.reply("still here");
				delivery.ack();
			},
			{ ack: "manual" },
		);
		const sent = await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		end.resolve();
		expect((await sent.reply()).content).toBe("still here");
		expect(await sent.settled()).toEqual([{ state: "acked" }]);
		await bus.idle();
	});

	it("is not tried again with a message that fails then, nor with one that waits to be tried", async () => {
		const bus = new MessageBus({ maxAttempts: 5, retryDelayMs: 60_000 });
		const bob = bus.join("bob");
		bob.onMessage(() => {
			bob.leaveBus();
			throw new Error("last words");
		});
		const carol = bus.join("carol");
		carol.onMessage(() => Promise.reject(new Error("later")));
		const alice = bus.join("alice");
		const [first, second] = [await alice.sendMessage({ to: "bob", content: 1 }), await alice.sendMessage({ to: "carol", content: 2 })];
		expect(await first.settled()).toMatchObject([{ reason: "failed", attempts: 1, error: { message: "last words" } }]);
		await settledDown();
		carol.leaveBus();
		expect(await second.settled()).toMatchObject([{ reason: "left", attempts: 1, error: { message: "later" } }]);
		await bus.idle();
	});

	it("is not tried again with one that it refused before it left", async () => {
		const bus = new MessageBus({ maxAttempts: 5 });
		const bob = bus.join("bob");
		bob.onMessage((_message, delivery) => {
			delivery.nack("later");
			bob.leaveBus();
		});
		const sent = await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		expect(await sent.settled()).toMatchObject([{ reason: "nacked", attempts: 1, error: { message: "later" } }]);
		await bus.idle();
		expect(bus.stats.bob).toMatchObject({ handling: 0, waiting: 0 });
	});

	it("hears of no answers any longer, though another of its name is there", async () => {
		const bus = new MessageBus();
		const [alice, bob] = [bus.join("alice"), bus.join("bob")];
		bob.onMessage(() => {});
		bus.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		await bus.idle();
		alice.leaveBus();
		await bob.sendReply({ to: "alice", content: 2, inReplyTo: sent.key });
		expect(alice.outbox).toMatchObject([{ status: "handled" }]);
		await bus.idle();
	});

	it("takes what it had sent along in its outbox, and joins anew as a stranger to what it left", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		bob.onMessage(() => {});
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "bob", content: 1 });
		alice.leaveBus();
		expect(alice.outbox).toHaveLength(1);
		const { handler, given } = heldHandler();
		alice.onMessage(handler);
		alice.withBus(bus);
		await bob.sendMessage({ to: "alice", content: 2 });
		await settledDown();
		alice.leaveBus();
		alice.withBus(bus);
		await bob.sendMessage({ to: "alice", content: 3 });
		await settledDown();
		expect(given).toHaveLength(2); // the first is still at hand there
		await bus.close();
	});
});

describe("A bus that is closed", () => {
	it("settles everything as dead, what waits for room as well, aborts signals, and refuses the rest", async () => {
		const bus = new MessageBus({ maxPending: 2 });
		const deliveries: Delivery[] = [];
		bus.join("bob").onMessage((_message, delivery) => {
			deliveries.push(delivery);
			expect(delivery.signal.aborted).toBe(false);
			return new Promise(() => {});
		});
		const alice = bus.join("alice");
		const sent = [await alice.sendMessage({ to: "bob", content: 1 }), await alice.sendMessage({ to: "bob", content: 2 })];
		const waiting = alice.sendMessage({ to: "bob", content: 3 });
		const unheeded = alice.sendMessage({ to: "bob", content: 4 });
		await settledDown();
		expect(bus.isClosed).toBe(false);
		const [one, other] = [bus.close(), bus.close()];
		expect(bus.isClosed).toBe(true);
		await Promise.all([one, other]);
		expect(await (await waiting).settled()).toEqual([{ state: "dead", reason: "closed", attempts: 0 }]);
		void unheeded;
		expect(await Promise.all(sent.map((each) => each.settled()))).toEqual([
			[{ state: "dead", reason: "closed", attempts: 1 }],
			[{ state: "dead", reason: "closed", attempts: 0 }],
		]);
		expect(reasons(bus).sort()).toEqual([
			[1, "closed", 1],
			[2, "closed", 0],
			[3, "closed", 0],
			[4, "closed", 0],
		]);
		expect(deliveries[0]?.signal.aborted).toBe(true);
		expect(() => deliveries[0]?.ack()).toThrow("the bus was closed");
		await expect(deliveries[0]?.reply("x")).rejects.toMatchObject({ code: "closed" });
		await expect(alice.sendMessage({ to: "bob", content: 5 })).rejects.toMatchObject({ code: "closed" });
		expect(bus.names).toEqual([]);
		await bus.idle();
		expect(bus.stats.bob).toMatchObject({ handling: 0, waiting: 0 });
	});

	it("makes the signal of a delivery that asks for it late aborted from the beginning", async () => {
		const bus = new MessageBus();
		const end = deferred<void>();
		let delivery: Delivery | undefined;
		bus.join("bob").onMessage((_message, given) => {
			delivery = given;
			return end.promise;
		});
		await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		await bus.close();
		expect(delivery?.signal.aborted).toBe(true);
		expect(delivery?.signal.reason).toMatchObject({ code: "closed" });
		end.resolve();
		await settledDown();
	});

	it("by a handler, a listener of dead letters, or a scope that ends, in the middle of things", async () => {
		const byHandler = new MessageBus();
		byHandler.join("bob").onMessage(() => byHandler.close());
		const sent = await byHandler.join("alice").sendMessage({ to: "bob", content: 1 });
		expect(await sent.settled()).toMatchObject([{ reason: "closed" }]);

		const byListener = new MessageBus();
		byListener.join("bob").onMessage(() => {
			throw new Error("boom");
		});
		byListener.deadLetters.on("deadLetter", () => byListener.close());
		const alice = byListener.join("alice");
		await Promise.all([1, 2, 3].map((content) => alice.sendMessage({ to: "bob", content })));
		await byListener.idle();
		expect(reasons(byListener)).toEqual([
			[1, "failed", 1],
			[2, "closed", 0],
			[3, "closed", 0],
		]);

		const byAnswer = new MessageBus();
		byAnswer.join("bob").respondToTasks(() => () => "no content");
		byAnswer.deadLetters.on("deadLetter", () => byAnswer.close());
		await byAnswer.join("alice").sendMessage({ to: "bob", content: 1 });
		await byAnswer.idle();
		expect(byAnswer.stats.bob).toMatchObject({ handling: 0, nacked: 1, deadLettered: 1 });

		const afterRefusal = new MessageBus({ maxAttempts: 2 });
		afterRefusal.join("bob").onMessage((_message, delivery) => {
			delivery.nack("busy");
			return new Promise(() => {});
		});
		const refused = await afterRefusal.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		await afterRefusal.close();
		expect(await refused.settled()).toMatchObject([{ reason: "closed", attempts: 1, error: { message: "busy" } }]);

		let kept: MessageBus | undefined;
		{
			await using bus = new MessageBus();
			kept = bus;
		}
		expect(kept.isClosed).toBe(true);
	});

	it("does not end another bus of the same transport, whose messages to it are dead", async () => {
		const transport = new InProcessTransport();
		const [one, other] = [new MessageBus({ transport }), new MessageBus({ transport })];
		const { handler } = heldHandler();
		other.join("bob").onMessage(handler);
		other.join("carol").onMessage(() => {});
		const alice = one.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		const waiting = sent.reply();
		expect([one.names, other.names]).toEqual([["alice"], ["bob", "carol"]]);
		await other.close();
		expect(await sent.settled()).toMatchObject([{ reason: "closed" }]);
		await expect(waiting).rejects.toMatchObject({ code: "not_delivered" });
		expect(reasons(one)).toMatchObject([[1, "closed", 1]]);
		expect([...other.deadLetters]).toEqual([]);
		one.join("dora").onMessage(() => {});
		expect(await (await alice.sendMessage({ to: "dora", content: 2 })).settled()).toEqual([{ state: "acked" }]);
	});

	it("rejects what waits for room on another bus, which is a dead letter, and no unhandled rejection where nobody waits", async () => {
		const transport = new InProcessTransport();
		const [one, other] = [new MessageBus({ transport }), new MessageBus({ transport, maxPending: 1 })];
		other.join("bob").onMessage(() => new Promise(() => {}));
		const alice = one.join("alice");
		await alice.sendMessage({ to: "bob", content: 1 });
		const waiting = alice.sendMessage({ to: "bob", content: 2 });
		void alice.sendMessage({ to: "bob", content: 3 });
		const closing = one.close();
		await expect(waiting).rejects.toMatchObject({ code: "closed" });
		await closing;
		expect(reasons(one).sort()).toEqual([
			[1, "lost", 0],
			[2, "closed", 0],
			[3, "closed", 0],
		]);
		await other.close();
	});

	it("gives up what another bus of its transport has at hand: nobody will tell it what becomes of that", async () => {
		const transport = new InProcessTransport();
		const [one, other] = [new MessageBus({ transport }), new MessageBus({ transport })];
		const { handler, release } = heldHandler();
		other.join("bob").onMessage(handler);
		const sent = await one.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		await one.close();
		expect(await sent.settled()).toEqual([{ state: "dead", reason: "lost", attempts: 0 }]);
		expect(reasons(one)).toEqual([[1, "lost", 0]]);
		await one.idle();
		release();
		await other.idle();
		expect(other.stats.bob).toMatchObject({ acked: 1 });
	});
});

/** A transport whose connection does as it is told. */
class ToldTransport implements BusTransport {
	readonly specificationVersion = "v1";
	readonly name = "told";
	listener: BusListener | undefined;
	queue: ChannelQueue | undefined;
	readonly ready = deferred<void>();
	readonly taken = deferred<number>();
	connect(listener: BusListener): BusConnection {
		this.listener = listener;
		let id = 0;
		return {
			nextId: () => `${++id}`,
			publish: () => this.taken.promise,
			subscribe: (_channel, queue) => {
				this.queue = queue;
				return { ready: this.ready.promise, unsubscribe: () => {} };
			},
			channels: async () => ["bob"],
			untilSubscribed: () => undefined,
			close: () => {},
		};
	}
	deliver(): TransportDelivery & { outcome: unknown } {
		const delivery = {
			outcome: undefined as unknown,
			message: JSON.parse('{"id":"1","from":"far","to":"bob","content":{"a":[1]}}') as TransportDelivery["message"],
			ack: () => {
				delivery.outcome = "acked";
			},
			nack: (failure: unknown) => {
				delivery.outcome = failure;
			},
		};
		this.queue?.receive(delivery);
		return delivery;
	}
}

describe("A bus with another transport", () => {
	it("is not idle until its members are heard of, and what comes in is unchangeable", async () => {
		const transport = new ToldTransport();
		const bus = new MessageBus({ transport });
		let isIdle = false;
		const seen: unknown[] = [];
		bus.join("bob").onMessage(({ content, key }) => {
			expect(() => Object.assign(content as object, { a: 2 })).toThrow(TypeError);
			expect(() => (content as { a: number[] }).a.push(2)).toThrow(TypeError);
			seen.push(key);
		});
		void bus.idle().then(() => {
			isIdle = true;
		});
		await settledDown();
		expect(isIdle).toBe(false);
		transport.ready.resolve();
		await settledDown();
		expect(isIdle).toBe(true);
		const delivery = transport.deliver();
		await bus.idle();
		expect([delivery.outcome, seen]).toEqual(["acked", ["far:1"]]);
	});

	it("loses its connection: everything that waits for it is told so, and nothing fails that nobody asked", async () => {
		const transport = new ToldTransport();
		const bus = new MessageBus({ transport });
		const bob = bus.join("bob");
		const signals: AbortSignal[] = [];
		bob.onMessage((_message, { signal }) => {
			signals.push(signal);
			return new Promise(() => {});
		});
		transport.deliver();
		void bob.sendMessage({ to: "far", content: "unheeded" });
		transport.taken.resolve(1);
		const sent = await bob.sendMessage({ to: "far", content: 1 });
		const waiting = sent.reply();
		transport.ready.reject(new Error("gone"));
		transport.listener?.onLost("the cable was cut");
		transport.listener?.onLost("twice");
		await expect(waiting).rejects.toMatchObject({ code: "not_delivered" });
		expect(await sent.settled()).toEqual([{ state: "dead", reason: "lost", attempts: 0 }]);
		expect(signals[0]?.reason).toMatchObject({ code: "connection_lost", message: expect.stringContaining("the cable was cut") });
		expect(bus.isClosed).toBe(true);
		await expect(bob.sendMessage({ to: "far", content: 2 })).rejects.toMatchObject({ code: "connection_lost" });
		expect(reasons(bus)).toEqual([
			["unheeded", "lost", 0],
			[1, "lost", 0],
		]);
		await bus.idle();
		await bus.close();
	});

	it("hears of outcomes and answers that nobody can place", async () => {
		const transport = new ToldTransport();
		const bus = new MessageBus({ transport });
		transport.ready.resolve();
		transport.listener?.onSettled("none", { state: "acked" });
		transport.listener?.onReply({ id: "1", from: "a", to: "b", content: 1, inReplyTo: "b:9" });
		await bus.idle();
		expect(bus.stats).toEqual({});
	});

	it("fails to send what its transport says nobody takes, or what is taken no longer", async () => {
		const transport = new ToldTransport();
		const bus = new MessageBus({ transport });
		transport.ready.resolve();
		const alice = bus.join("alice");
		transport.taken.resolve(0);
		await expect(alice.sendMessage({ to: "bop", content: 1 })).rejects.toMatchObject({
			code: "unknown_recipient",
			message: expect.stringContaining('"bob"'),
		});
		await bus.idle();
	});

	it("needs one of the version that it knows, and options that are some", () => {
		const connect = (): never => {
			throw new Error("no way");
		};
		expect(() => new MessageBus({ transport: { specificationVersion: "v1", name: "x", connect } })).toThrow("no way");
		for (const transport of [null, {}, { connect }, { connect, specificationVersion: "v2" }, 1])
			expect(() => new MessageBus({ transport } as never)).toThrow(ConfigurationError);
		for (const options of [
			null,
			1,
			{ maxpending: 1 },
			{ maxPending: 0 },
			{ maxPending: 1.5 },
			{ maxDeadLetters: -1 },
			{ maxOutbox: "1" },
			{ ackTimeoutMs: 0 },
		])
			expect(() => new MessageBus(options as never)).toThrow(ConfigurationError);
		for (const options of [
			{ ackTimeoutMs: 2 ** 31 },
			{ maxAttempts: 0 },
			{ retryDelayMs: Number.NaN },
			{ channels: 1 },
			{ channels: { a: {} } },
			{ log: {} },
		])
			expect(() => new MessageBus(options as never)).toThrow(ConfigurationError);
	});
});
