import { describe, expect, it, vi } from "vitest";
import { BusProjection } from "../../src/bus/bus-projection.js";
import type { BusConnection, BusListener, BusTransport, ChannelQueue, TransportDelivery } from "../../src/bus/bus-transport.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { RobotLabError } from "../../src/errors/robot-lab-error.js";
import { deferred } from "../../src/process/deferred.js";
import { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { heldHandler, settledDown } from "./waiting.js";

const warningsDuring = async (act: () => Promise<void>): Promise<(Error & { code?: string })[]> => {
	const warnings: Error[] = [];
	const note = (warning: Error): void => void warnings.push(warning);
	process.on("warning", note);
	await act();
	await settledDown();
	process.off("warning", note);
	return warnings;
};

/** A promise that has come, and something of its own. */
const patched = (own: PropertyDescriptorMap): Promise<void> => Object.defineProperties(Promise.resolve(), own);

describe("A handler that answers with", () => {
	it.each([
		// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
		["a promise whose then throws", patched({ then: { value: () => expect.fail("called") } }), "acked"],
		[
			"a promise whose constructor cannot be read",
			patched({
				constructor: {
					get: () => {
						throw new Error("trap");
					},
				},
			}),
			"failed",
		],
		["a promise of another species", patched({ constructor: { value: { [Symbol.species]: () => expect.fail("called") } } }), "failed"],
		["what only looks like a promise", Object.create(Promise.prototype) as object, "failed"],
		["a proxy of a promise", new Proxy(Promise.resolve(), {}), "failed"],
	])("%s holds up nobody", async (_what, answer, expected) => {
		const bus = new MessageBus();
		const answers = [answer];
		bus.join("bob").onMessage(() => answers.shift());
		const alice = bus.join("alice");
		const [first, second] = [await alice.sendMessage({ to: "bob", content: 1 }), await alice.sendMessage({ to: "bob", content: 2 })];
		const [outcome] = await first.settled();
		expect(outcome?.state === "dead" ? outcome.reason : outcome?.state).toBe(expected);
		expect(await second.settled()).toEqual([{ state: "acked" }]);
		await bus.idle();
	});

	it("a thenable that calls back twice ends its own attempt and no other", async () => {
		const bus = new MessageBus();
		const { handler, release } = heldHandler<unknown>();
		let again: (() => void) | undefined;
		bus.join("bob").onMessage(({ content }) => {
			if (content === 2) return handler(content);
			return Object.assign(Promise.resolve(), {
				constructor: class extends Promise<void> {},
				// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
				then: (resolve: () => void) => {
					again = resolve;
					resolve();
				},
			});
		});
		const alice = bus.join("alice");
		const sent = [];
		for (const content of [1, 2, 3]) sent.push(await alice.sendMessage({ to: "bob", content }));
		await settledDown();
		again?.();
		await settledDown();
		expect(bus.stats.bob).toMatchObject({ acked: 1, handling: 1, waiting: 1 });
		release();
		await bus.idle();
		expect(bus.stats.bob).toMatchObject({ acked: 3 });
	});

	it("a function that is a thenable is waited for", async () => {
		const bus = new MessageBus();
		const end = deferred<void>();
		const callable = (): void => {};
		// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
		Object.defineProperty(callable, "then", { value: end.promise.then.bind(end.promise) });
		bus.join("bob").onMessage(() => callable);
		const sent = await bus.join("alice").sendMessage({ to: "bob", content: 1 });
		await settledDown();
		expect(bus.stats.bob).toMatchObject({ acked: 0, handling: 1 });
		end.reject(new Error("after all"));
		expect(await sent.settled()).toMatchObject([{ reason: "failed", error: { message: "after all" } }]);
	});
});

describe("What a handler fails with", () => {
	const codes = (code: PropertyDescriptor): Error => Object.defineProperty(new RobotLabError("x", "broken"), "code", code);

	it("is said without failing itself, whatever it is", async () => {
		const bus = new MessageBus({ log: new EventLog() });
		const thrown = [
			codes({
				get: () => {
					throw new Error("trap");
				},
			}),
			codes({ value: { not: "text" } }),
			codes({ value: "c".repeat(10_000) }),
		];
		bus.join("bob").onMessage(() => {
			throw thrown.shift();
		});
		const alice = bus.join("alice");
		const told = [];
		for (const _ of [1, 2, 3]) told.push(...(await (await alice.sendMessage({ to: "bob", content: 1 })).settled()));
		expect(told).toMatchObject([
			{ error: { code: "unexpected", message: "broken" } },
			{ error: { code: "unexpected", message: "broken" } },
			{ error: { code: expect.stringMatching(/^c{50,200}…$/), message: "broken" } },
		]);
	});

	it("late, or a listener of dead letters with, is warned of, whatever it is", async () => {
		const bus = new MessageBus();
		const junk = [Object.assign(new Error("x"), { message: Symbol("s") }), Object.assign(new Error("x"), { message: { toString: "no" } })];
		bus.deadLetters.on("deadLetter", () => {
			throw junk[1];
		});
		bus.join("bob").onMessage((_message, delivery) => {
			delivery.ack();
			throw junk[0];
		});
		bus.join("nobody");
		const alice = bus.join("alice");
		const warnings = await warningsDuring(async () => {
			for (const to of ["bob", "nobody", "bob"]) await (await alice.sendMessage({ to, content: 1 })).settled();
			await bus.idle();
		});
		expect(warnings.map(({ code }) => code).sort()).toEqual(["ROBOT_LAB_HANDLER_FAILED", "ROBOT_LAB_LISTENER_FAILED"]);
		expect(bus.stats.bob).toMatchObject({ acked: 2 });
	});
});

/** A transport of this process that fails where it is told to. */
class FailingTransport implements BusTransport {
	readonly specificationVersion = "v1";
	readonly name = "failing";
	readonly #inner: BusTransport = new InProcessTransport();
	readonly #change: (delivery: TransportDelivery) => TransportDelivery;
	constructor(change: (delivery: TransportDelivery) => TransportDelivery) {
		this.#change = change;
	}
	connect(listener: BusListener): BusConnection {
		const inner = this.#inner.connect(listener);
		const subscribe = (channel: string, { capacity, receive }: ChannelQueue) =>
			inner.subscribe(channel, { capacity, receive: (delivery) => receive(this.#change(delivery)) });
		return {
			nextId: () => inner.nextId(),
			publish: (message, signal) => inner.publish(message, signal),
			subscribe,
			channels: () => inner.channels(),
			untilSubscribed: (channel, signal) => inner.untilSubscribed(channel, signal),
			close: () => inner.close(),
		};
	}
}

describe("What fails and is no handler's", () => {
	const boom = (): never => {
		throw new Error("the transport broke");
	};

	it("fails the message, is warned of, and every mailbox goes on", async () => {
		const isBad = ({ message }: TransportDelivery): boolean => message.content === "bad";
		const transport = new FailingTransport((delivery) => {
			if (!isBad(delivery)) return delivery;
			const { message } = delivery;
			const nack: TransportDelivery["nack"] = (failure) => delivery.nack(failure);
			// content that JSON cannot say, a message that cannot be read, an ack that fails
			if (message.to === "junk") return { message: JSON.parse(JSON.stringify({ ...message, content: undefined })), ack: boom, nack };
			if (message.to === "unread") return { ack: boom, nack, message: new Proxy({ ...message }, { get: boom }) };
			return { message, ack: boom, nack };
		});
		const bus = new MessageBus({ transport });
		const names = ["junk", "unread", "sync", "async"];
		const handled: string[] = [];
		for (const name of names) {
			const note = (): void => void handled.push(name);
			bus.join(name).onMessage(name === "async" ? async () => note() : note);
		}
		const alice = bus.join("alice");
		const warnings = await warningsDuring(async () => {
			for (const content of ["bad", "good"]) for (const to of names) await alice.sendMessage({ to, content });
			await bus.idle();
		});
		expect(handled.filter((name) => name === "junk" || name === "unread").sort()).toEqual(["junk", "unread"]);
		expect(names.map((name) => bus.stats[name]?.handling)).toEqual(names.map(() => 0));
		expect([...bus.deadLetters].map(({ message, reason, error }) => [message.to, reason, typeof error?.message])).toEqual(
			expect.arrayContaining(names.map((name) => [name, "failed", "string"])),
		);
		expect(bus.deadLetters.size).toBe(names.length);
		expect(warnings.filter(({ code }) => code === "ROBOT_LAB_BUS_FAILED")).toHaveLength(names.length);
	});

	it("at the time of a handler, and by hand, holds up nobody either", async () => {
		const transport = new FailingTransport((delivery) =>
			delivery.message.content === "bad"
				? { message: delivery.message, ack: boom, nack: boom }
				: { message: delivery.message, ack: () => delivery.ack(), nack: (failure) => delivery.nack(failure) },
		);
		const bus = new MessageBus({ transport, ackTimeoutMs: 5 });
		const given: unknown[] = [];
		const failures: unknown[] = [];
		bus.join("hangs").onMessage(({ content }) => {
			given.push(content);
			return content === "bad" ? new Promise(() => {}) : undefined;
		});
		bus.join("hand").onMessage(
			({ content }, delivery) => {
				setImmediate(() => {
					try {
						delivery.ack();
					} catch (error) {
						failures.push(error);
					}
					given.push(content);
				});
			},
			{ ack: "manual", ackTimeoutMs: 60_000 },
		);
		const alice = bus.join("alice");
		await warningsDuring(async () => {
			const last = [];
			for (const content of ["bad", "good"]) for (const to of ["hangs", "hand"]) last.push(await alice.sendMessage({ to, content }));
			await Promise.all(last.slice(2).map((sent) => sent.settled()));
		});
		expect(given.sort()).toEqual(["bad", "bad", "good", "good"]);
		expect(failures).toMatchObject([{ message: "the transport broke" }]);
		await bus.close();
	});

	it("is nothing where a content is longer than a text can be, for the log and for drawings", async () => {
		const log = new EventLog();
		const projection = new BusProjection();
		const inputs: number[] = [];
		log.subscribe((event) => {
			projection.observe(event);
			if ("input" in event.data) inputs.push(String(event.data.input).length);
		});
		const bus = new MessageBus({ log });
		bus.join("bob").onMessage(() => {});
		const sent = await bus.join("alice").sendMessage({ to: "bob", content: Array(600).fill("x".repeat(1 << 20)) });
		expect(await sent.settled()).toEqual([{ state: "acked" }]);
		expect(inputs).toHaveLength(1);
		expect(inputs[0]).toBeLessThan(20_000);
		expect(projection.toMermaid().length).toBeLessThan(500);
		await bus.close();
	});

	it("does not call a handler whose bus a listener of the log closed as the attempt began", async () => {
		for (const name of ["run.started", "bus.delivery"]) {
			const log = new EventLog();
			const bus = new MessageBus({ log });
			log.subscribe(({ event, data }) => {
				if ((event as string) === name && data.scope === "delivery") void bus.close();
			});
			const handler = vi.fn();
			bus.join("bob").onMessage(handler);
			const sent = await bus.join("alice").sendMessage({ to: "bob", content: 1 });
			expect(await sent.settled()).toMatchObject([{ reason: "closed" }]);
			await bus.close();
			expect(handler).not.toHaveBeenCalled();
			assertWholeLog(log.after(0));
			await bus.idle();
		}
	});

	it("leaves no connection behind of a bus that cannot be made", async () => {
		const transport = new InProcessTransport();
		const close = vi.fn();
		const connect = (listener: BusListener): BusConnection => {
			const connection = transport.connect(listener);
			return Object.assign(connection, { close: vi.fn(close) });
		};
		const counting: BusTransport = { specificationVersion: "v1", name: "counting", connect };
		for (const parent of [{}, "junk", 1])
			expect(() => new MessageBus({ transport: counting, parent: parent as never })).toThrow("parent must be");
		await settledDown();
		expect(close).toHaveBeenCalledTimes(3);
	});
});
