import type { MessagePort, Worker } from "node:worker_threads";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { SharedPort } from "./shared-port.js";

/** One end of what joins two threads: a port of a `MessageChannel`, a worker's `parentPort`, or the `Worker` itself in the thread that started it. */
export type ThreadPort = MessagePort | Worker;

export interface PortListener {
	readonly onMessage: (value: unknown) => void;
	/** Called once: nothing more can come. */
	readonly onEnd: (reason: string) => void;
}

// of each port that there is, however many transports and services are made for it
const shared = new WeakMap<ThreadPort, SharedPort>();

/** What everybody here shares that uses a port. */
export function sharedPort(port: ThreadPort): SharedPort {
	const known = shared.get(port) ?? new SharedPort(port);
	shared.set(port, known);
	return known;
}

/**
 * Listens on a port that others may use, too. Listening alone keeps no thread alive, unless others listen for whose sake it does: those who begin later are
 * noticed with the next message, and when nobody listens here any longer. The end of a port that is over already is told, too, a little later.
 *
 * @returns Stops listening.
 */
export const listenOn = (port: ThreadPort, listener: PortListener): (() => void) => sharedPort(port).listen(listener);

const METHODS = ["on", "off", "listenerCount", "postMessage"] as const;

/** Throws ConfigurationError for what is no port, and says what to do where there is no `parentPort`. */
export function checkPort(what: string, port: ThreadPort | null, inMainThread: string): asserts port is ThreadPort {
	if (port === null)
		throw new ConfigurationError(`${what} needs a port, got null, which parentPort is in the main thread. ${inMainThread}`);
	const given = (typeof port === "object" ? port : {}) as Partial<Record<(typeof METHODS)[number], unknown>>;
	if (METHODS.every((method) => typeof given[method] === "function")) return;
	throw new ConfigurationError(
		`${what} needs a port, got ${describeValue(port)}. Give it a Worker, a worker's parentPort or a port of a MessageChannel.`,
	);
}
