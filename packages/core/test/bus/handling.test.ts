import { createHook } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/bus/delivery.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { deferred } from "../../src/process/deferred.js";
import { heldHandler, settledDown } from "./waiting.js";

const told = async (bus: MessageBus, to: string, content: unknown = 1) => (await bus.join("alice").sendMessage({ to, content })).settled();

const revoked = (): object => {
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	return proxy;
};

describe("A message is settled", () => {
	it("when its handler has come to its end, and no earlier", async () => {
		const bus = new MessageBus();
		const { handler, given, release } = heldHandler();
		bus.join("bob").onMessage(handler);
		const alice = bus.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		await alice.sendMessage({ to: "bob", content: 2 });
		await settledDown();
		expect(given).toHaveLength(1);
		expect(bus.stats.bob).toMatchObject({ acked: 0, handling: 1, waiting: 1 });
		release();
		expect(await sent.settled()).toEqual([{ state: "acked" }]);
		await settledDown();
		release();
		await bus.idle();
		expect(bus.stats.bob).toMatchObject({ published: 2, delivered: 2, acked: 2, handling: 0, waiting: 0 });
	});

	it("whatever a handler that does not fail answers with", async () => {
		const answers = [
			undefined,
			null,
			0,
			"",
			{},
			[],
			() => {},
			Promise.resolve(),
			Object.create(null),
			JSON.parse('{"then":1}'),
			new Proxy({}, {}),
		];
		const bus = new MessageBus();
		const bob = bus.join("bob");
		bob.onMessage(() => answers.shift());
		while (answers.length > 0) expect(await told(bus, "bob")).toEqual([{ state: "acked" }]);
	});

	it("as failed, whatever a handler throws or rejects with", async () => {
		const bus = new MessageBus();
		const junk = [
			new Error("boom"),
			"boom",
			undefined,
			null,
			0,
			{},
			revoked(),
			Symbol("x"),
			Object.assign(new Error("x"), { message: 1n }),
		];
		let place = 0;
		bus.join("throws").onMessage(() => {
			throw junk[place];
		});
		bus.join("rejects").onMessage(() => Promise.reject(junk[place]));
		// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
		bus.join("thenable").onMessage(() => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(junk[place]) }));
		for (; place < junk.length; place++) {
			for (const to of ["throws", "rejects", "thenable"]) {
				expect(await told(bus, to)).toMatchObject([{ state: "dead", reason: "failed", attempts: 1, error: { code: "unexpected" } }]);
			}
		}
		expect(bus.deadLetters.drain()).toHaveLength(junk.length * 3);
		expect([...bus.deadLetters]).toEqual([]);
		expect(bus.stats.throws).toMatchObject({ nacked: junk.length, deadLettered: junk.length, acked: 0, redelivered: 0 });
	});

	it("once by a thenable that settles twice, and as failed by one that cannot be read", async () => {
		const bus = new MessageBus();
		bus.join("twice").onMessage(() => ({
			// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
			then: (resolve: () => void, reject: (reason: unknown) => void) => {
				resolve();
				resolve();
				reject(new Error("late"));
			},
		}));
		bus.join("trap").onMessage(() => ({
			// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
			get then() {
				throw new Error("trapped");
			},
		}));
		expect(await told(bus, "twice")).toEqual([{ state: "acked" }]);
		expect(await told(bus, "trap")).toMatchObject([{ reason: "failed", error: { message: "trapped" } }]);
		expect(bus.stats.twice).toMatchObject({ acked: 1 });
	});

	it("by hand at once, and the next message waits for the end of the handler", async () => {
		const bus = new MessageBus();
		const end = deferred<void>();
		const given: unknown[] = [];
		bus.join("bob").onMessage(({ content }, delivery) => {
			given.push(content);
			delivery.ack();
			return end.promise;
		});
		const alice = bus.join("alice");
		expect(await (await alice.sendMessage({ to: "bob", content: 1 })).settled()).toEqual([{ state: "acked" }]);
		await alice.sendMessage({ to: "bob", content: 2 });
		await settledDown();
		expect(given).toEqual([1]);
		end.resolve();
		await bus.idle();
		expect(given).toEqual([1, 2]);
		expect(bus.stats.bob).toMatchObject({ acked: 2 });
	});

	it("only once: a second ack or nack, and one behind its end, throw", async () => {
		const bus = new MessageBus();
		const deliveries: Delivery[] = [];
		const seen: unknown[] = [];
		bus.join("bob").onMessage((_message, delivery) => {
			deliveries.push(delivery);
			delivery.ack();
			for (const again of [() => delivery.ack(), () => delivery.nack(), () => delivery.extend(5)]) {
				try {
					again();
				} catch (error) {
					seen.push((error as { code: unknown }).code);
				}
			}
		});
		bus.join("carol").onMessage((_message, delivery) => void deliveries.push(delivery));
		expect(await told(bus, "bob")).toEqual([{ state: "acked" }]);
		expect(await told(bus, "carol")).toEqual([{ state: "acked" }]);
		expect(seen).toEqual(["already_settled", "already_settled", "already_settled"]);
		for (const delivery of deliveries) expect(() => delivery.ack()).toThrow(/was acked before.*extend/);
		expect(bus.stats.bob).toMatchObject({ acked: 1, nacked: 0 });
	});

	it("as nacked with what the handler says", async () => {
		const bus = new MessageBus();
		const reasons: unknown[] = ["not mine", undefined, new Error("busy"), {}, revoked()];
		bus.join("bob").onMessage((_message, delivery) => delivery.nack(reasons.shift()));
		expect(await told(bus, "bob")).toEqual([
			{ state: "dead", reason: "nacked", attempts: 1, error: { code: "unexpected", message: "not mine" } },
		]);
		expect(await told(bus, "bob")).toEqual([{ state: "dead", reason: "nacked", attempts: 1 }]);
		expect(await told(bus, "bob")).toMatchObject([{ error: { message: "busy" } }]);
		for (const _ of [1, 2]) expect(await told(bus, "bob")).toMatchObject([{ error: { message: "it failed without saying why" } }]);
	});

	it("by hand alone where it says so, also behind the end of the handler", async () => {
		const bus = new MessageBus();
		const deliveries: Delivery[] = [];
		bus.join("bob").onMessage((_message, delivery) => void deliveries.push(delivery), { ack: "manual" });
		const alice = bus.join("alice");
		const [first, second] = [await alice.sendMessage({ to: "bob", content: 1 }), await alice.sendMessage({ to: "bob", content: 2 })];
		await settledDown();
		expect(bus.stats.bob).toMatchObject({ acked: 0, handling: 1, waiting: 1 });
		deliveries[0]?.ack();
		expect(await first.settled()).toEqual([{ state: "acked" }]);
		await settledDown();
		deliveries[1]?.nack("no");
		expect(await second.settled()).toMatchObject([{ reason: "nacked" }]);
		await bus.idle();
	});

	it("by hand early or late, and in each case the next one waits for both", async () => {
		const bus = new MessageBus();
		const end = deferred<void>();
		const given: unknown[] = [];
		bus.join("bob").onMessage(
			({ content }, delivery) => {
				given.push(content);
				if (content === 1) setImmediate(() => delivery.ack());
				if (content === 1) return undefined;
				delivery.ack();
				return content === 2 ? end.promise : undefined;
			},
			{ ack: "manual" },
		);
		const alice = bus.join("alice");
		await Promise.all([1, 2, 3].map((content) => alice.sendMessage({ to: "bob", content })));
		await settledDown();
		await settledDown();
		expect(given).toEqual([1, 2]);
		end.resolve();
		await bus.idle();
		expect([given, bus.stats.bob?.handling]).toEqual([[1, 2, 3], 0]);
	});

	it("as failed by a handler that fails before it has settled by hand", async () => {
		const bus = new MessageBus();
		bus.join("bob").onMessage(() => Promise.reject(new Error("boom")), { ack: "manual" });
		expect(await told(bus, "bob")).toMatchObject([{ state: "dead", reason: "failed" }]);
	});

	it("with an answer of respondToTasks() that is settled by hand, but none of one that is refused", async () => {
		const bus = new MessageBus();
		const alice = bus.join("alice");
		bus.join("hand").respondToTasks(
			(_message, delivery) => {
				setImmediate(() => delivery.ack());
				return "answer";
			},
			{ ack: "manual" },
		);
		bus.join("early").respondToTasks((_message, delivery) => {
			delivery.ack();
			return "answer";
		});
		bus.join("refuses").respondToTasks((_message, delivery) => {
			delivery.nack();
			return "never";
		});
		for (const to of ["hand", "early"]) expect((await (await alice.sendMessage({ to, content: 1 })).reply()).content).toBe("answer");
		await expect((await alice.sendMessage({ to: "refuses", content: 1 })).reply()).rejects.toMatchObject({ code: "not_delivered" });
		await bus.idle();
	});
});

describe("A message that is not handled", () => {
	it("is tried again at once, before those behind it, as often as it may be", async () => {
		const bus = new MessageBus({ maxAttempts: 3 });
		const log: string[] = [];
		bus.join("bob").onMessage(({ content }, { attempt }) => {
			log.push(`${content as string}${attempt}`);
			if (content === "a" || (content === "b" && attempt < 2)) throw new Error("again");
		});
		const alice = bus.join("alice");
		const sent = await Promise.all(["a", "b", "c"].map((content) => alice.sendMessage({ to: "bob", content })));
		const outcomes = await Promise.all(sent.map((each) => each.settled()));
		expect(log).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
		expect(outcomes).toMatchObject([[{ reason: "failed", attempts: 3 }], [{ state: "acked" }], [{ state: "acked" }]]);
		expect(bus.stats.bob).toMatchObject({ delivered: 3, acked: 2, nacked: 4, redelivered: 3, deadLettered: 1, waiting: 0, handling: 0 });
	});

	it("is tried as its handler says, not as the bus does", async () => {
		const bus = new MessageBus({ maxAttempts: 3, retryDelayMs: 10_000 });
		let attempts = 0;
		bus.join("bob").onMessage(
			() => {
				attempts += 1;
				throw new Error("no");
			},
			{ maxAttempts: 2, retryDelayMs: 0 },
		);
		expect(await told(bus, "bob")).toMatchObject([{ attempts: 2 }]);
		expect(attempts).toBe(2);
	});

	it("waits to be tried again, and the bus is not idle as long", async () => {
		const bus = new MessageBus({ maxAttempts: 2, retryDelayMs: 5 });
		const attempts: number[] = [];
		bus.join("bob").onMessage((_message, { attempt }) => {
			attempts.push(attempt);
			if (attempt === 1) throw new Error("again");
		});
		await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		expect(bus.stats.bob).toMatchObject({ waiting: 1, handling: 0 });
		await bus.idle();
		expect(attempts).toEqual([1, 2]);
		expect(bus.stats.bob).toMatchObject({ acked: 1, waiting: 0 });
	});

	it("is dead where nobody handles it any more when it is to be tried again", async () => {
		const bus = new MessageBus({ maxAttempts: 3 });
		const bob = bus.join("bob");
		const handler = bob.onMessage(() => {
			handler.unsubscribe();
			throw new Error("gone");
		});
		expect(await told(bus, "bob")).toMatchObject([{ reason: "no_handler", attempts: 1 }]);
	});

	it("has no handler: an answer is acked there, anything else is dead", async () => {
		const bus = new MessageBus();
		const bob = bus.join("bob");
		const alice = bus.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: "task" });
		expect(await sent.settled()).toEqual([{ state: "dead", reason: "no_handler", attempts: 0 }]);
		const reply = await bob.sendReply({ to: "alice", content: "answer", inReplyTo: sent.key });
		expect(await reply.settled()).toEqual([{ state: "acked" }]);
		expect(alice.outbox).toMatchObject([{ status: "replied" }]);
	});
});

describe("The time of a handler", () => {
	it("is up for one that never settles: its signal is aborted, the message dead, and the next is handled", async () => {
		const bus = new MessageBus({ ackTimeoutMs: 5 });
		const signals: AbortSignal[] = [];
		bus.join("bob").onMessage(({ content }, delivery) => {
			signals.push(delivery.signal);
			return content === "hangs" ? new Promise(() => {}) : undefined;
		});
		const alice = bus.join("alice");
		const [hangs, next] = [
			await alice.sendMessage({ to: "bob", content: "hangs" }),
			await alice.sendMessage({ to: "bob", content: "next" }),
		];
		expect(await hangs.settled()).toEqual([{ state: "dead", reason: "timed_out", attempts: 1 }]);
		expect(await next.settled()).toEqual([{ state: "acked" }]);
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
		expect(signals[0]?.reason).toMatchObject({ name: "TimeoutError" });
		await bus.idle();
		expect(bus.stats.bob).toMatchObject({ timedOut: 1, acked: 1, deadLettered: 1, handling: 0 });
	});

	it("counts anew when the message is tried again, beside the handler that was left behind", async () => {
		const bus = new MessageBus({ ackTimeoutMs: 5, maxAttempts: 2 });
		const late = deferred<string>();
		const errors: unknown[] = [];
		bus.join("bob").respondToTasks(async (_message, delivery) => {
			if (delivery.attempt === 2) return "second";
			const answer = await late.promise;
			try {
				delivery.ack();
			} catch (error) {
				errors.push(error);
			}
			return answer;
		});
		const alice = bus.join("alice");
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		expect((await sent.reply()).content).toBe("second");
		expect(await sent.settled()).toEqual([{ state: "acked" }]);
		late.resolve("first");
		await settledDown();
		expect(errors).toMatchObject([{ code: "already_settled", message: expect.stringContaining("its time was up") }]);
		expect(alice.outbox[0]?.replies).toHaveLength(1);
		expect(bus.stats.bob).toMatchObject({ timedOut: 1, redelivered: 1, acked: 1, nacked: 0, handling: 0 });
		await bus.idle();
	});

	it("keeps the process alive as long as it is waited for, and so do a wait for an answer and one to try again", async () => {
		const timers: NodeJS.Timeout[] = [];
		const isOurs = (timer: object): boolean => Math.round(Number((timer as { _idleTimeout?: number })._idleTimeout) / 100) === 777;
		const hook = createHook({
			init: (_id, type, _trigger, timer) => {
				if (type === "Timeout" && isOurs(timer)) timers.push(timer as NodeJS.Timeout);
			},
		}).enable();
		const held = (): boolean[] => timers.map((timer) => isOurs(timer) && timer.hasRef());
		const bus = new MessageBus({ maxAttempts: 2, retryDelayMs: 77_700, ackTimeoutMs: 77_700 });
		const { handler, release } = heldHandler();
		bus.join("slow").onMessage(handler);
		bus.join("fails").onMessage(() => Promise.reject(new Error("again")));
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "slow", content: 1 });
		await settledDown();
		expect(held()).toEqual([true]);
		release();
		await bus.idle();
		expect(held()).toEqual([false]); // a bus with nothing to do ends with the rest of the process
		const sent = await alice.sendMessage({ to: "slow", content: 2 });
		await settledDown();
		expect(held()).toEqual([true]);
		const waiting = sent.reply({ timeoutMs: 77_700 });
		expect(held()).toEqual([true, true]);
		await alice.sendMessage({ to: "fails", content: 1 });
		await settledDown();
		expect(held()).toEqual([true, true, true]);
		void bus.close();
		await expect(waiting).rejects.toMatchObject({ code: "not_delivered" });
		await bus.idle();
		hook.disable();
		expect(timers.map(isOurs)).toEqual([false, false, false]); // cleared
	});

	it("is up for one that waits to be settled by hand", async () => {
		const bus = new MessageBus({ ackTimeoutMs: 5 });
		const deliveries: Delivery[] = [];
		bus.join("bob").onMessage((_message, delivery) => void deliveries.push(delivery), { ack: "manual" });
		expect(await told(bus, "bob")).toMatchObject([{ reason: "timed_out" }]);
		expect(() => deliveries[0]?.nack()).toThrow("its time was up");
		expect(deliveries[0]?.signal.aborted).toBe(true);
		await bus.idle();
	});

	it("is longer where the handler asks for more", async () => {
		const bus = new MessageBus({ ackTimeoutMs: 60_000 });
		const times: string[] = [];
		bus.join("shorter").onMessage((_message, delivery) => {
			delivery.extend(5);
			return new Promise(() => {});
		});
		bus.join("longer").onMessage(
			(_message, delivery) => {
				for (const ms of [0, -1, Number.NaN, 2 ** 31, "5"]) expect(() => delivery.extend(ms as number)).toThrow("milliseconds");
				delivery.extend(60_000);
				return new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void times.push("done"));
			},
			{ ackTimeoutMs: 5 },
		);
		expect(await told(bus, "shorter")).toMatchObject([{ reason: "timed_out" }]);
		expect(await told(bus, "longer")).toEqual([{ state: "acked" }]);
		expect(times).toEqual(["done"]);
	});

	it("is longer also where more is asked for when the time has begun to run", async () => {
		const bus = new MessageBus({ ackTimeoutMs: 5 });
		bus.join("bob").onMessage(async (_message, delivery) => {
			await settledDown();
			delivery.extend(60_000);
			await new Promise((resolve) => setTimeout(resolve, 20));
		});
		expect(await told(bus, "bob")).toEqual([{ state: "acked" }]);
	});

	it("is up also for one that has settled by hand and does not come to its end", async () => {
		const bus = new MessageBus({ ackTimeoutMs: 5 });
		const given: unknown[] = [];
		bus.join("bob").onMessage(
			({ content }, delivery) => {
				given.push(content);
				if (content === 2) return undefined;
				delivery.nack("no");
				return new Promise(() => {});
			},
			{ maxAttempts: 2 },
		);
		const alice = bus.join("alice");
		const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
		const sent = await alice.sendMessage({ to: "bob", content: 1 });
		await alice.sendMessage({ to: "bob", content: 2 });
		expect(await sent.settled()).toMatchObject([{ reason: "nacked", attempts: 2 }]);
		await bus.idle();
		expect(given).toEqual([1, 1, 2]);
		expect(await warned).toMatchObject({
			code: "ROBOT_LAB_HANDLER_FAILED",
			message: expect.stringContaining("goes on, though its time is up"),
		});
	});
});

describe("A handler that fails behind its own word", () => {
	it("changes nothing, and is told of in a process warning, once for each member", async () => {
		const warnings: Error[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		process.on("warning", note);
		const bus = new MessageBus({ maxAttempts: 2 });
		bus.join("bob").onMessage(async (_message, delivery) => {
			delivery.ack();
			throw new Error("afterthought");
		});
		bus.join("carol").respondToTasks((_message, delivery) => {
			delivery.ack();
			return () => "no content";
		});
		for (const to of ["bob", "bob", "carol"]) expect(await told(bus, to)).toEqual([{ state: "acked" }]);
		await bus.idle();
		await settledDown();
		process.off("warning", note);
		expect(warnings).toMatchObject([
			{ code: "ROBOT_LAB_HANDLER_FAILED", message: expect.stringMatching(/"bob".*afterthought/) },
			{ code: "ROBOT_LAB_HANDLER_FAILED", message: expect.stringMatching(/"carol".*no JSON/) },
		]);
	});

	it("or when nobody waits for it any longer, disturbs nobody, and is no unhandled rejection", async () => {
		const warnings: Error[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		process.on("warning", note);
		const bus = new MessageBus({ ackTimeoutMs: 5 });
		const late = deferred<never>();
		const end = deferred<void>();
		const given: unknown[] = [];
		bus.join("bob").onMessage(({ content }, delivery) => {
			given.push(content);
			if (content === 1) return late.promise;
			delivery.extend(60_000);
			return end.promise;
		});
		const alice = bus.join("alice");
		const sent = await Promise.all([1, 2, 3].map((content) => alice.sendMessage({ to: "bob", content })));
		expect(await sent[0]?.settled()).toMatchObject([{ reason: "timed_out" }]);
		late.reject(new Error("late"));
		await settledDown();
		expect([given, bus.stats.bob?.handling]).toEqual([[1, 2], 1]);
		end.resolve();
		await bus.idle();
		expect([given, bus.stats.bob?.handling]).toEqual([[1, 2, 3], 0]);
		bus.join("carol").onMessage(() => {
			void bus.close();
			return Promise.reject(new Error("closed under it"));
		});
		expect(await told(bus, "carol")).toMatchObject([{ reason: "closed" }]);
		await settledDown();
		process.off("warning", note);
		expect(warnings).toEqual([]);
	});
});
