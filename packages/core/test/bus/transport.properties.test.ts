import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { it } from "vitest";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { serveBus } from "../../src/threads/serve-bus.js";
import { threadTransport } from "../../src/threads/thread-transport.js";
import { steps, TransportSchedule } from "./transport-schedule.js";

it("InProcessTransport loses nothing, delivers nothing twice, keeps each one's order and settles once, whatever is done to it", async () => {
	await fc.assert(
		fc.asyncProperty(steps, async (schedule) => {
			// answers are promises
			await new TransportSchedule(new InProcessTransport()).run(schedule, async () => {});
		}),
		{ numRuns: 500 },
	);
});

it("a bus over a port does the same", async () => {
	await fc.assert(
		fc.asyncProperty(steps, async (schedule) => {
			const { port1, port2 } = new MessageChannel();
			const service = serveBus(new InProcessTransport(), port1);
			await new TransportSchedule(threadTransport(port2)).run(schedule, async (open) => {
				for (let times = 0; times < 2; times += 1) await Promise.all(open.map((connection) => connection.channels()));
			});
			service.stop();
			port1.close();
		}),
		{ numRuns: 40 },
	);
});
