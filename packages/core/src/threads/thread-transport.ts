import type { BusConnection, BusListener, BusTransport } from "../bus/bus-transport.js";
import { type GuestMessage, type HostMessage, posted } from "./bus-protocol.js";
import { readHostMessage, readOr } from "./read-bus-message.js";
import { ThreadConnection } from "./thread-connection.js";
import { listenOn, type ThreadPort } from "./thread-port.js";

/**
 * The bus of the thread at the other end of a port, which lets this one take part with `serveBus(transport, port)`: before or after this. Messages are
 * copied on their way. Where the port is closed or the other thread has ended, connections are lost: publishes that wait are rejected with BusError
 * `connection_lost`, and so is what is asked later. The same when what comes on the port says that it belongs to a bus and is wrong or of another version;
 * what does not say so is passed over.
 *
 * A worker thread is kept alive while one of its connections has subscribed to something, any thread while one waits for an answer, for what becomes of
 * its messages, or has something to settle.
 *
 * @param port For a worker `parentPort`, or a port of a `MessageChannel` that it was given. `new MessageBus({ transport: threadTransport(port) })`.
 */
export const threadTransport = (port: ThreadPort): BusTransport => new ThreadTransport(port);

class ThreadTransport implements BusTransport {
	readonly specificationVersion = "v1";
	readonly name = "thread";
	readonly #port: ThreadPort;
	readonly #connections: Map<string, ThreadConnection> = new Map();
	/** Of the port. */
	readonly #stopListening: () => void;
	/** What is to be said when somebody is there; `undefined` as soon as somebody is. */
	#unsaid: GuestMessage[] | undefined = [];
	/** Why nobody is there any longer. */
	#end: string | undefined;

	constructor(port: ThreadPort) {
		this.#port = port;
		this.#stopListening = listenOn(port, { onMessage: (value) => this.#receive(value), onEnd: (reason) => this.#lose(reason) });
		this.#port.postMessage(posted({ kind: "open" }));
	}

	connect(listener: BusListener): BusConnection {
		const connection: ThreadConnection = new ThreadConnection({
			listener,
			post: (message) => this.#post(message),
			onEnd: () => this.#forget(connection.name),
		});
		this.#connections.set(connection.name, connection);
		this.#post({ kind: "connect", connection: connection.name });
		const end = this.#end;
		// not before whoever connects has the connection
		if (end !== undefined) queueMicrotask(() => connection.lose(end));
		return connection;
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

	#forget(name: string): void {
		this.#connections.delete(name);
		this.#unsaid = this.#unsaid?.filter((message) => !("connection" in message) || message.connection !== name);
	}

	#refuse(reason: string): void {
		this.#port.postMessage(posted({ kind: "ended", reason }));
		this.#lose(reason);
	}

	#lose(reason: string): void {
		this.#end = reason;
		this.#unsaid = undefined;
		this.#stopListening();
		for (const connection of this.#connections.values()) connection.lose(reason);
	}
}
