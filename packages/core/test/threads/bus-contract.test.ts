import { MessageChannel } from "node:worker_threads";
import { afterAll, describe, it } from "vitest";
import { describeBusTransport } from "../../src/testing/bus-transport-contract.js";
import { threadTransport } from "../../src/threads/thread-transport.js";
import { startThread } from "./bus-thread.js";

const thread = startThread("broker.ts");

afterAll(() => thread.terminate());

describeBusTransport(
	"threadTransport, with the broker in another thread,",
	() => {
		const { port1, port2 } = new MessageChannel();
		thread.postMessage(port2, [port2]);
		return threadTransport(port1);
	},
	{ describe, it },
);
