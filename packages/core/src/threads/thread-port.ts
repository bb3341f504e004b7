import type { MessagePort, Worker } from "node:worker_threads";

/** One end of what joins two threads: a port of a `MessageChannel`, a worker's `parentPort`, or the `Worker` itself in the thread that started it. */
export type ThreadPort = MessagePort | Worker;

export interface PortListener {
	readonly onMessage: (value: unknown) => void;
	/** Called once: nothing more can come. */
	readonly onEnd: (reason: string) => void;
}

/**
 * Listens on a port that others may use, too. Listening alone keeps no thread alive, unless others listen for whose sake it does.
 *
 * @returns Stops listening.
 */
export function listenOn(port: ThreadPort, { onMessage, onEnd }: PortListener): () => void {
	const end = (reason: string): void => {
		stop();
		onEnd(reason);
	};
	const onUnreadable = (): void => end("a message on the port could not be read");
	const onClose = (): void => end("the port was closed, or the thread at its other end has ended");
	const onExit = (code: number): void => end(`the worker thread has ended with code ${code}`);
	// only these two have such an end: neither type knows the other's event
	const events = port as Pick<Worker, "on" | "off" | "listenerCount">;
	const stop = (): void => {
		events.off("message", onMessage);
		events.off("messageerror", onUnreadable);
		events.off("close", onClose);
		events.off("exit", onExit);
	};
	const isAlone = events.listenerCount("message") === 0;
	events.on("message", onMessage);
	events.on("messageerror", onUnreadable);
	events.on("close", onClose);
	events.on("exit", onExit);
	// a worker keeps its process alive as long as it runs, which is for its owner to change
	if (isAlone && "close" in port) port.unref();
	return stop;
}
