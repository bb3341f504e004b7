import { once } from "node:events";
import { MessageChannel, type MessagePort, parentPort, Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BusTransport } from "../../src/bus/bus-transport.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { MessageBus } from "../../src/bus/message-bus.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { serveBus } from "../../src/threads/serve-bus.js";
import { threadTransport } from "../../src/threads/thread-transport.js";
import { Listener } from "./bus-listener.js";

const JUNK = [undefined, 0, "port", {}, [], () => {}, new EventTarget(), { on: () => {}, postMessage: () => {} }, Object.create(null)];

function channel(): MessageChannel {
	const made = new MessageChannel();
	onTestFinished(() => made.port1.close());
	return made;
}

/** An ended one. */
async function endedWorker(): Promise<Worker> {
	const worker = new Worker("", { eval: true });
	await once(worker, "exit");
	return worker;
}

async function closedPort(): Promise<MessagePort> {
	const { port1, port2 } = new MessageChannel();
	port1.close();
	await once(port2, "close");
	return port2;
}

const failing = (fails: () => never): BusTransport => ({ specificationVersion: "v1", name: "failing", connect: fails });

const outcomeOf = (promise: unknown): Promise<unknown> => Promise.resolve(promise).catch((error: unknown) => error);

describe("a port", () => {
	it("is refused where there is none, with what to do in the main thread", () => {
		expect(() => threadTransport(null)).toThrow(ConfigurationError);
		expect(() => threadTransport(null)).toThrow(/null, which parentPort is in the main thread.*serveBus\(transport, worker\)/);
		expect(() => serveBus(new InProcessTransport(), null)).toThrow(/null, which parentPort is in the main thread.*Worker/);
		expect(() => serveBus(new InProcessTransport(), parentPort)).not.toThrow(TypeError);
	});

	it.each(JUNK)("is refused where it is none: %o", (junk) => {
		expect(() => threadTransport(junk as never)).toThrow(ConfigurationError);
		expect(() => serveBus(new InProcessTransport(), junk as never)).toThrow(ConfigurationError);
	});

	it("has one listener, however many buses use it, and none when all are closed", async () => {
		const { port1, port2 } = channel();
		using _ = serveBus(new InProcessTransport(), port1);
		const transports = Array.from({ length: 12 }, () => threadTransport(port2));
		expect(port2.listenerCount("message")).toBe(0);
		const connections = transports.map((transport) => new Listener(transport).connection);
		expect(await Promise.all(connections.map((connection) => connection.channels()))).toEqual(Array(12).fill([]));
		expect(port2.listenerCount("message")).toBe(1);
		await Promise.all(connections.map((connection) => connection.close()));
		for (const event of ["message", "messageerror", "close", "exit"]) expect(port2.listenerCount(event), event).toBe(0);
		const anew = new Listener(transports[0] ?? expect.unreachable());
		await anew.connection.subscribe("a", { capacity: 1, receive: () => {} }).ready;
		expect(await anew.connection.channels()).toEqual(["a"]);
		await anew.connection.close();
	});

	it("holds the thread for others who listen, also for those who began later, and not for the bus", async () => {
		const { port1, port2 } = channel();
		const service = serveBus(new InProcessTransport(), port1);
		const { connection } = new Listener(threadTransport(port2));
		await connection.channels();
		const own = (): void => {};
		expect(port2.hasRef()).toBe(false);
		port2.on("message", own);
		await connection.channels();
		expect(port2.hasRef()).toBe(true);
		port2.off("message", own);
		await connection.channels();
		expect(port2.hasRef()).toBe(false);
		port2.on("message", own);
		await connection.close();
		expect(port2.hasRef()).toBe(true);
		port2.unref();
		const other = new Listener(threadTransport(port2));
		await other.connection.channels();
		await other.connection.close();
		expect(port2.hasRef()).toBe(false);
		port2.off("message", own);
		expect(port1.hasRef()).toBe(false);
		port1.on("message", own);
		service.stop();
		expect(port1.hasRef()).toBe(true);
		port1.off("message", own);
		expect(port1.hasRef()).toBe(false);
	});
});

describe("serveBus", () => {
	it("refuses what is no transport of its version, the bus itself included", async () => {
		const { port1 } = channel();
		const bus = new MessageBus();
		const others = [null, undefined, {}, bus, { ...failing(() => expect.unreachable()), specificationVersion: "v2" }];
		for (const other of others) expect(() => serveBus(other as never, port1)).toThrow(ConfigurationError);
		expect(port1.listenerCount("message")).toBe(0);
		await bus.close();
	});

	it("refuses a port on which a bus is served, until that has ended", async () => {
		const { port1, port2 } = channel();
		const transport = new InProcessTransport();
		const first = serveBus(transport, port1);
		expect(() => serveBus(transport, port1)).toThrow(/already.*stop\(\)/s);
		expect(() => serveBus(new InProcessTransport(), port1)).toThrow(ConfigurationError);
		const main = new Listener(transport);
		const contents: unknown[] = [];
		const guest = new Listener(threadTransport(port2));
		await guest.connection.subscribe("a", {
			capacity: 9,
			receive: (delivery) => {
				contents.push(delivery.message.content);
				delivery.ack();
			},
		}).ready;
		expect(main.publish("a", 1)).toBe(1);
		await main.settled(1);
		expect(contents).toEqual([1]);
		first.stop();
		await guest.isLost();
		using _ = serveBus(transport, port1);
		expect(await new Listener(threadTransport(port2)).connection.channels()).toEqual([]);
	});

	it("ends where the transport throws as somebody connects, and says why", async () => {
		const { port1, port2 } = channel();
		serveBus(
			failing(() => {
				throw new TypeError("no broker is reached");
			}),
			port1,
		);
		const guest = new Listener(threadTransport(port2));
		const refused = outcomeOf(guest.publish("a", 1));
		await guest.isLost();
		expect(guest.lost).toEqual([expect.stringContaining("no broker is reached")]);
		expect(await refused).toMatchObject({ name: "BusError", code: "connection_lost" });
	});

	it("refuses what the transport throws at, and lets all go that it has when it ends, whatever fails", async () => {
		const { port1, port2 } = channel();
		const closed: unknown[] = [];
		let nacked = 0;
		const service = serveBus(
			{
				...failing(() => expect.unreachable()),
				connect: () => ({
					nextId: () => "1",
					publish: () => {
						throw new TypeError("not published");
					},
					subscribe: (_, { receive }) => {
						const nack = (): void => {
							nacked += 1;
							throw new TypeError("not nacked");
						};
						for (const id of ["1", "2"]) receive({ message: { id, from: "a", to: "b", content: 1 }, ack: () => {}, nack });
						return {
							ready: undefined,
							unsubscribe: () => {
								throw new TypeError("not unsubscribed");
							},
						};
					},
					channels: () => ["b"],
					untilSubscribed: () => {
						throw new TypeError("not waited for");
					},
					close: async () => {
						closed.push(1);
						throw new TypeError("not closed");
					},
				}),
			},
			port1,
		);
		const guests = [new Listener(threadTransport(port2)), new Listener(threadTransport(port2))];
		for (const { connection } of guests) await connection.subscribe("b", { capacity: 9, receive: () => {} }).ready;
		expect(await outcomeOf(guests[0]?.publish("b", 1))).toMatchObject({ message: "not published" });
		expect(await outcomeOf(guests[0]?.connection.untilSubscribed("c"))).toMatchObject({ message: "not waited for" });
		expect(() => service.stop()).not.toThrow();
		for (const guest of guests) await guest.isLost();
		expect([nacked, closed.length]).toEqual([4, 2]);
	});

	it("ends for a port that is closed and a Worker that has ended", async () => {
		for (const port of [await closedPort(), await endedWorker()]) {
			serveBus(new InProcessTransport(), port);
			expect(port.listenerCount("message")).toBe(1);
			await Promise.resolve();
			expect(port.listenerCount("message")).toBe(0);
		}
	});
});

describe("threadTransport", () => {
	it("refuses options that are none", () => {
		const { port1 } = channel();
		for (const options of [null, { serveTimeout: 1 }, { serveTimeoutMs: 0 }, { serveTimeoutMs: "1" }, { serveTimeoutMs: 2 ** 31 }])
			expect(() => threadTransport(port1, options as never), JSON.stringify(options)).toThrow(ConfigurationError);
	});

	it("is lost on a port that is closed, and with a Worker that has ended", async () => {
		for (const port of [await closedPort(), await endedWorker()]) {
			const guest = new Listener(threadTransport(port));
			const refused = outcomeOf(guest.publish("a", 1));
			await guest.isLost();
			expect(await refused).toMatchObject({ name: "BusError", code: "connection_lost" });
		}
	});

	it("is lost where nobody serves in time, and says what to do", async () => {
		const guest = new Listener(threadTransport(channel().port2, { serveTimeoutMs: 1 }));
		const waiting = [guest.publish("a", 1), guest.connection.untilSubscribed("a")].map(outcomeOf);
		await guest.isLost();
		for (const refusal of await Promise.all(waiting))
			expect(refusal).toMatchObject({ code: "connection_lost", message: expect.stringContaining("call serveBus(transport, port) there") });
	});

	it("does not take for late what came while its own thread was busy", async () => {
		const { port1, port2 } = channel();
		// the next that is looked at are timers, before what has come
		await new Promise(setImmediate);
		const guest = new Listener(threadTransport(port2, { serveTimeoutMs: 1 }));
		using _ = serveBus(new InProcessTransport(), port1);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
		expect(await guest.publish("a", 1)).toBe(0);
		expect(guest.lost).toEqual([]);
	});

	it("gives up at once what was not said yet, and says nothing of it", async () => {
		const { port1, port2 } = channel();
		const guest = new Listener(threadTransport(port2));
		const aborting = new AbortController();
		const given = [guest.publish("a", 1, aborting.signal), guest.connection.untilSubscribed("a", aborting.signal)].map(outcomeOf);
		const kept = guest.publish("a", 2, new AbortController().signal);
		aborting.abort("enough");
		expect(await Promise.all(given)).toEqual(["enough", "enough"]);
		const said: string[] = [];
		port1.on("message", ({ kind }) => said.push(kind));
		using _ = serveBus(new InProcessTransport(), port1);
		expect(await kept).toBe(0);
		expect(said).toEqual(["open", "connect", "publish"]);
	});
});
