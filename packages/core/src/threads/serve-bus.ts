import { checkTransport } from "../bus/bus-options.js";
import type { BusTransport } from "../bus/bus-transport.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { messageOf } from "../text/message-of.js";
import { type GuestMessage, type HostMessage, posted } from "./bus-protocol.js";
import { KeepAlive } from "./keep-alive.js";
import { readGuestMessage, readOr } from "./read-bus-message.js";
import { ServedConnection } from "./served-connection.js";
import type { SharedPort } from "./shared-port.js";
import { checkPort, sharedPort, type ThreadPort } from "./thread-port.js";

/** A bus that another thread is let in on. */
export interface BusService extends Disposable {
	/** The other thread has no part in the bus any longer: its connections are lost. Harmless when done twice. */
	stop(): void;
}

/**
 * Lets the thread at the other end of a port take part in a bus, there with `threadTransport(port)`: before or after this.
 *
 * When the thread has ended or the port is closed, what was delivered there and not settled is dead (`lost`), and whoever waits for it goes on. A `parentPort`
 * that a worker closes is noticed when the worker ends. What is posted on the port and does not belong to a bus is passed over; what says that it does, and is
 * wrong or of another version, ends the service, and the other side is told why.
 *
 * The main thread is kept alive while the other thread has something to settle or waits for room, a worker thread for as long as it serves. A `Worker` keeps
 * its process alive as ever: call its `unref()` where it should not.
 *
 * Throws ConfigurationError for what is no transport or no port, and for a port on which a bus is served already.
 *
 * @param transport Has the broker, e.g. the `InProcessTransport` that the buses of this thread use.
 * @param port Of the thread that is let in: its `Worker`, or a port of a `MessageChannel`. In a worker that has the broker, `parentPort`.
 */
export function serveBus(transport: BusTransport, port: ThreadPort | null): BusService {
	const what = "serveBus()";
	checkTransport(what, transport);
	checkPort(what, port, "Give it the Worker that is to take part.");
	if (sharedPort(port).isServed)
		throw new ConfigurationError(
			`${what} serves a bus on this port already, and everybody would have each message twice. Call stop() of what it returned first, or take a port of its own.`,
		);
	const service = new PortService(transport, port);
	const stop = (): void => service.stop("the bus is not served any longer");
	return { stop, [Symbol.dispose]: stop };
}

class PortService {
	readonly #transport: BusTransport;
	readonly #port: ThreadPort;
	readonly #shared: SharedPort;
	readonly #connections: Map<string, ServedConnection> = new Map();
	readonly #keepAlive: KeepAlive = new KeepAlive();
	readonly #stopListening: () => void;
	#isOver = false;

	constructor(transport: BusTransport, port: ThreadPort) {
		this.#transport = transport;
		this.#port = port;
		this.#shared = sharedPort(port);
		this.#shared.isServed = true;
		this.#stopListening = this.#shared.listen({ onMessage: (value) => this.#receive(value), onEnd: () => this.#end() });
		this.#keepAlive.hold(false, true);
		this.#post({ kind: "serving" });
	}

	stop(reason: string): void {
		if (this.#isOver) return;
		this.#post({ kind: "ended", reason });
		this.#end();
	}

	#receive(value: unknown): void {
		const message = readOr(readGuestMessage, value, (reason) => this.stop(reason));
		if (message === undefined) return;
		try {
			this.#handle(message);
		} catch (error) {
			// the transport is not of this room, and nobody hears what is thrown here
			this.stop(`the bus failed: ${messageOf(error)}`);
		}
	}

	#handle(message: GuestMessage): void {
		if (message.kind === "ended") this.#end();
		else if (message.kind === "open") this.#post({ kind: "serving" });
		else if (message.kind === "connect") this.#connect(message.connection);
		// who does not know yet that a connection is lost may still write to it
		else this.#connections.get(message.connection)?.hear(message);
	}

	#connect(name: string): void {
		if (this.#connections.has(name)) {
			this.stop("a message on the port was refused: it opens a connection that is open");
			return;
		}
		const post = (message: HostMessage): void => this.#post(message);
		const onEnd = (): unknown => this.#connections.delete(name);
		this.#connections.set(name, new ServedConnection({ name, transport: this.#transport, post, onEnd }));
	}

	#post(message: HostMessage): void {
		this.#port.postMessage(posted(message));
	}

	#end(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#stopListening();
		this.#shared.isServed = false;
		this.#keepAlive.end();
		for (const connection of this.#connections.values()) connection.abandon();
	}
}
