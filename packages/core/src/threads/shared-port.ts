import type { MessagePort, Worker } from "node:worker_threads";
import type { PortListener, ThreadPort } from "./thread-port.js";

/** Of these events only a Worker knows the last, and only a MessagePort the one before: neither type knows the other's. */
type PortEvents = Pick<Worker, "on" | "off" | "listenerCount">;

/**
 * A port on which everybody listens from here by one listener: from the eleventh on Node warns of a leak, and those who use the port besides could not be told
 * from these.
 */
export class SharedPort {
	/** Whether a bus is served on it: what a guest asks must be done once. */
	isServed = false;
	readonly #port: ThreadPort;
	readonly #events: PortEvents;
	readonly #listeners: Set<PortListener> = new Set();
	/** Whether somebody else listens, for whose sake the port keeps the thread alive. */
	#hasOthers = false;

	constructor(port: ThreadPort) {
		this.#port = port;
		this.#events = port as PortEvents;
	}

	/** @returns Stops listening. */
	listen(listener: PortListener): () => void {
		const own = { ...listener };
		this.#listeners.add(own);
		if (this.#listeners.size === 1) this.#begin();
		return () => {
			if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#stop();
		};
	}

	#begin(): void {
		this.#hasOthers = this.#events.listenerCount("message") > 0;
		this.#events.on("message", this.#hear);
		this.#events.on("messageerror", this.#onUnreadable);
		this.#events.on("close", this.#onClose);
		this.#events.on("exit", this.#onExit);
		// what is over already says so no more
		if (isOver(this.#port)) queueMicrotask(this.#onClose);
		// a worker keeps its process alive as long as it runs, which is for its owner to change
		if (!this.#hasOthers && isMessagePort(this.#port)) this.#port.unref();
	}

	#stop(): void {
		this.#heedOthers();
		this.#events.off("message", this.#hear);
		this.#events.off("messageerror", this.#onUnreadable);
		this.#events.off("close", this.#onClose);
		this.#events.off("exit", this.#onExit);
	}

	/** Whoever began to listen behind this keeps the thread alive, as if this were not there. */
	#heedOthers(): void {
		const hasOthers = this.#events.listenerCount("message") > 1;
		if (hasOthers === this.#hasOthers || !isMessagePort(this.#port)) return;
		this.#hasOthers = hasOthers;
		if (hasOthers) this.#port.ref();
		else this.#port.unref();
	}

	readonly #hear = (value: unknown): void => {
		this.#heedOthers();
		for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener.onMessage(value);
	};

	readonly #onUnreadable = (): void => this.#end("a message on the port could not be read");
	readonly #onClose = (): void => this.#end("the port was closed, or the thread at its other end has ended");
	readonly #onExit = (code: number): void => this.#end(`the worker thread has ended with code ${code}`);

	#end(reason: string): void {
		const listeners = [...this.#listeners];
		if (listeners.length === 0) return;
		this.#listeners.clear();
		this.#stop();
		for (const listener of listeners) listener.onEnd(reason);
	}
}

const isMessagePort = (port: ThreadPort): port is MessagePort => "close" in port;

function isOver(port: ThreadPort): boolean {
	if (!isMessagePort(port)) return port.threadId === -1;
	// one that is closed holds nothing, whatever it is told
	const hadRef = port.hasRef();
	port.ref();
	const isClosed = !port.hasRef();
	if (!hadRef) port.unref();
	return isClosed;
}
