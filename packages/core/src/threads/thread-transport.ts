import type { BusConnection, BusListener, BusTransport } from "../bus/bus-transport.js";
import { checkMs, checkNames } from "../options/check-options.js";
import { type GuestMessage, type HostMessage, posted } from "./bus-protocol.js";
import { readHostMessage, readOr } from "./read-bus-message.js";
import { ThreadConnection } from "./thread-connection.js";
import { checkPort, listenOn, type ThreadPort } from "./thread-port.js";

export interface ThreadTransportOptions {
	/**
	 * Milliseconds within which somebody has to serve a bus at the other end, from the moment at which this one connects. Then the connection is lost, and
	 * nothing waits for ever. 1 to 2147483647. Default 30,000.
	 */
	readonly serveTimeoutMs?: number;
}

/**
 * The bus of the thread at the other end of a port, which lets this one take part with `serveBus(transport, port)`: before or after this. Messages are
 * copied on their way. Where the port is closed, the other thread has ended or nobody serves in time, connections are lost: publishes that wait are rejected with
 * BusError `connection_lost`, and so is what is asked later. The same when what comes on the port says that it belongs to a bus and is wrong or of another
 * version; what does not say so is passed over.
 *
 * A worker thread is kept alive while one of its connections has subscribed to something, any thread while one waits for an answer, for what becomes of
 * its messages, or has something to settle. Nobody listens on the port while there is no connection.
 *
 * Throws ConfigurationError for what is no port, `parentPort` of the main thread included, and for options that are none.
 *
 * @param port For a worker `parentPort`, or a port of a `MessageChannel` that it was given. `new MessageBus({ transport: threadTransport(port) })`.
 */
export function threadTransport(port: ThreadPort | null, options: ThreadTransportOptions = {}): BusTransport {
	const what = "threadTransport()";
	checkPort(what, port, "Use it in a worker, and let that in here: serveBus(transport, worker).");
	checkNames(what, options, ["serveTimeoutMs"]);
	const { serveTimeoutMs = 30_000 } = options;
	checkMs(`${what}: serveTimeoutMs`, serveTimeoutMs, 1);
	return new ThreadTransport(port, serveTimeoutMs);
}

class ThreadTransport implements BusTransport {
	readonly specificationVersion = "v1";
	readonly name = "worker-threads";
	readonly #port: ThreadPort;
	readonly #serveTimeoutMs: number;
	readonly #connections: Map<string, ThreadConnection> = new Map();
	/** Ends what began with the first connection. */
	#stop: () => void = () => {};
	/** What is to be said when somebody is there; `undefined` as soon as somebody is. */
	#unsaid: GuestMessage[] | undefined;
	/** Why nobody is there any longer. */
	#end: string | undefined;

	constructor(port: ThreadPort, serveTimeoutMs: number) {
		this.#port = port;
		this.#serveTimeoutMs = serveTimeoutMs;
	}

	connect(listener: BusListener): BusConnection {
		if (this.#connections.size === 0 && this.#end === undefined) this.#begin();
		const connection: ThreadConnection = new ThreadConnection({
			listener,
			post: (message) => this.#post(message),
			unsay: (id) =>
				this.#unsay((message) => "request" in message && message.connection === id.connection && message.request === id.request),
			onEnd: () => this.#forget(connection.name),
		});
		this.#connections.set(connection.name, connection);
		this.#post({ kind: "connect", connection: connection.name });
		const end = this.#end;
		// not before whoever connects has the connection
		if (end !== undefined) queueMicrotask(() => connection.lose(end));
		return connection;
	}

	#begin(): void {
		this.#unsaid = [];
		let isOver = false;
		const stopListening = listenOn(this.#port, { onMessage: (value) => this.#receive(value), onEnd: (reason) => this.#lose(reason) });
		// in a turn of its own: a thread that was busy has not read yet what came in time
		const late = setTimeout(() => setImmediate(() => !isOver && this.#isLate()), this.#serveTimeoutMs).unref();
		this.#stop = () => {
			isOver = true;
			stopListening();
			clearTimeout(late);
		};
		this.#port.postMessage(posted({ kind: "open" }));
	}

	#isLate(): void {
		if (this.#unsaid === undefined) return;
		const reason = `nobody serves a bus at the other end of the port after ${this.#serveTimeoutMs} ms`;
		this.#lose(`${reason}: call serveBus(transport, port) there, with the Worker of this thread as port where it is one`);
	}

	#receive(value: unknown): void {
		const message = readOr(readHostMessage, value, (reason) => this.#refuse(reason));
		if (message !== undefined) this.#handle(message);
	}

	#handle(message: HostMessage): void {
		if (message.kind === "serving") this.#sayAll();
		else if (message.kind === "ended") this.#lose(message.reason);
		// the host may still write to a connection that was closed here, and another transport may share the port
		else this.#connections.get(message.connection)?.hear(message);
	}

	/** Whether it is on its way. If not, it waits until somebody is there. */
	#post(message: GuestMessage): boolean {
		if (this.#end !== undefined) return false;
		if (this.#unsaid === undefined) this.#port.postMessage(posted(message));
		else this.#unsaid.push(message);
		return this.#unsaid === undefined;
	}

	#sayAll(): void {
		const unsaid = this.#unsaid ?? [];
		this.#unsaid = undefined;
		for (const message of unsaid) this.#post(message);
	}

	/** Whether any was there. */
	#unsay(isMeant: (message: GuestMessage) => boolean): boolean {
		const unsaid = this.#unsaid ?? [];
		const rest = unsaid.filter((message) => !isMeant(message));
		if (rest.length === unsaid.length) return false;
		this.#unsaid = rest;
		return true;
	}

	#forget(name: string): void {
		this.#connections.delete(name);
		this.#unsay((message) => "connection" in message && message.connection === name);
		if (this.#connections.size === 0) this.#stop();
	}

	#refuse(reason: string): void {
		this.#port.postMessage(posted({ kind: "ended", reason }));
		this.#lose(reason);
	}

	#lose(reason: string): void {
		this.#end = reason;
		this.#unsaid = undefined;
		this.#stop();
		for (const connection of this.#connections.values()) connection.lose(reason);
	}
}
