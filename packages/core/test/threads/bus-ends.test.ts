import { on, once } from "node:events";
import { MessageChannel, type Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { BusError } from "../../src/errors/bus-error.js";
import { type BusService, serveBus } from "../../src/threads/serve-bus.js";
import { threadTransport } from "../../src/threads/thread-transport.js";
import { Listener } from "./bus-listener.js";
import { startThread } from "./bus-thread.js";

interface Stage {
	readonly thread: Worker;
	readonly main: Listener;
	readonly service: BusService;
}

/** A member in a thread of its own, and the broker here. */
async function stage(way: "worker" | "channel"): Promise<Stage> {
	const transport = new InProcessTransport();
	const { port1, port2 } = new MessageChannel();
	const thread =
		way === "worker" ? startThread("member.ts") : startThread("member.ts", { workerData: { port: port2 }, transferList: [port2] });
	const service = serveBus(transport, way === "worker" ? thread : port1);
	onTestFinished(async () => {
		await thread.terminate();
		port1.close();
	});
	thread.on("error", () => {});
	expect(await own(thread)).toBe("ready");
	return { thread, main: new Listener(transport), service };
}

/** What the member says besides: on the port of the Worker, where the bus is served, too. */
async function own(thread: Worker): Promise<unknown> {
	for await (const [message] of on(thread, "message")) {
		if (!Object.hasOwn(Object(message), "robotLabBus")) return message;
	}
	return undefined;
}

const LOST = { state: "dead", reason: "lost", attempts: 0 } as const;
const LEFT = { state: "dead", reason: "left", attempts: 0 } as const;

for (const way of ["worker", "channel"] as const) {
	describe(`serveBus on ${way === "worker" ? "a Worker" : "a port of a MessageChannel"}`, () => {
		for (const [deed, end] of [
			["keep", (thread: Worker) => thread.terminate()],
			["exit", () => {}],
			["throw", () => {}],
		] as const) {
			it(`gives up what is with a thread that ${deed === "keep" ? "is terminated" : `does "${deed}"`}, and whoever waits for it goes on`, async () => {
				const { thread, main } = await stage(way);
				expect(await main.publish("member", "ack")).toBe(1);
				await main.settled(1);
				expect(main.publish("member", deed)).toBe(1);
				const waiting = main.publish("member", "ack");
				expect(waiting).toBeInstanceOf(Promise);
				end(thread);
				expect(await waiting).toBe(1);
				await main.settled(3);
				expect(main.outcomes).toEqual([{ state: "acked" }, LEFT, LOST]);
				expect(main.connection.channels()).toEqual([]);
				expect(main.publish("member", "ack")).toBe(0);
			});
		}

		it("tells the other thread that nobody serves any longer, and gives up what is there", async () => {
			const { thread, main, service } = await stage(way);
			main.publish("member", "keep");
			const told = own(thread);
			service.stop();
			service.stop();
			expect(await told).toEqual({ lost: "the bus is not served any longer" });
			expect(main.outcomes).toEqual([LOST]);
			// nothing holds the thread any longer
			await once(thread, "exit");
		});
	});
}

it("serveBus gives up what is with a thread that closes its port", async () => {
	const { thread, main } = await stage("channel");
	const told = own(thread);
	main.publish("member", "closePort");
	await main.settled(1);
	expect(main.outcomes).toEqual([LOST]);
	expect(await told).toEqual({ lost: expect.stringContaining("closed") });
});

it("threadTransport is lost with the thread that has the broker, and refuses what waits and what comes", async () => {
	const { port1, port2 } = new MessageChannel();
	const broker = startThread("broker.ts");
	broker.postMessage(port2, [port2]);
	const transport = threadTransport(port1);
	const [main, closing] = [new Listener(transport), new Listener(transport)];
	await main.connection.subscribe("main", { capacity: 1, receive: () => {} }).ready;
	expect(await main.publish("main", 1)).toBe(1);
	const waiting = [main.publish("main", 2), main.publish("main", 3, new AbortController().signal)].map((promise) =>
		Promise.resolve(promise).catch((error: unknown) => error),
	);
	await main.connection.channels();
	const ended = broker.terminate();
	const closed = closing.connection.close();
	await ended;
	await main.isLost();
	await closed;
	const refusals = [
		...(await Promise.all(waiting)),
		await Promise.resolve(main.publish("main", 4)).catch((error: unknown) => error),
		await main.connection.subscribe("x", { capacity: 1, receive: () => {} }).ready?.catch((error: unknown) => error),
		await Promise.resolve(main.connection.channels()).catch((error: unknown) => error),
	];
	for (const refusal of refusals) expect(refusal).toSatisfy((error) => BusError.isInstance(error) && error.code === "connection_lost");
	await main.connection.close();
	const late = new Listener(transport);
	await late.isLost();
	expect([main.lost.length, closing.lost, late.lost.length]).toEqual([1, [], 1]);
});

it("threadTransport waits for somebody who serves, and closes without", async () => {
	const { port1, port2 } = new MessageChannel();
	onTestFinished(() => port1.close());
	const transport = threadTransport(port2);
	const [main, leaving] = [new Listener(transport), new Listener(transport)];
	const published = main.publish("nobody", 1);
	const given = leaving.publish("nobody", 1);
	await leaving.connection.close();
	await expect(given).rejects.toMatchObject({ name: "BusError", code: "closed" });
	using _ = serveBus(new InProcessTransport(), port1);
	expect(await published).toBe(0);
});

it("serveBus may be late for a Worker that has begun", async () => {
	const thread = startThread("member.ts");
	onTestFinished(async () => {
		await thread.terminate();
	});
	// its question whether somebody is there was for nobody
	await once(thread, "message");
	using _ = serveBus(new InProcessTransport(), thread);
	expect(await own(thread)).toBe("ready");
});

it("a thread stays that has the broker and nothing else to do", async () => {
	const { port1, port2 } = new MessageChannel();
	const thread = startThread("host.ts", { workerData: { port: port2 }, transferList: [port2] });
	onTestFinished(async () => {
		await thread.terminate();
	});
	const main = new Listener(threadTransport(port1));
	for (let times = 0; times < 50; times += 1) expect(await main.connection.channels()).toEqual([]);
	expect(main.lost).toEqual([]);
});
