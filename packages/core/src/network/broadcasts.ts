import { ConfigurationError } from "../errors/configuration-error.js";
import { guardListener } from "../run/listeners.js";
import type { RunPublisher } from "../stream/run-publisher.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import { describeValue } from "../text/describe-value.js";

/** What is told to all. */
export interface BroadcastMessage {
	/** The network's name. */
	readonly network: string;
	/** A frozen copy of what was given. */
	readonly payload: unknown;
	/** Milliseconds since 1970. */
	readonly timestamp: number;
}

/** Who hears what a network tells all: listeners, and the logs of its runs. */
export class Broadcasts {
	readonly #listeners = new Map<object, (message: BroadcastMessage) => void>();
	readonly #runs = new Set<RunPublisher>();

	/** Throws ConfigurationError for what is no function. */
	add(handler: (message: BroadcastMessage) => unknown): Subscription {
		if (typeof handler !== "function") throw new ConfigurationError(`onBroadcast() needs a function, got ${describeValue(handler)}.`);
		const key = {};
		this.#listeners.set(key, guardListener("network.onBroadcast()", handler));
		return subscription(() => void this.#listeners.delete(key));
	}

	/** @returns Ends it. */
	tellRun(run: RunPublisher): () => void {
		this.#runs.add(run);
		return () => void this.#runs.delete(run);
	}

	tell(message: BroadcastMessage): void {
		for (const run of this.#runs) run.publish("network.broadcast", message);
		// those who come while it is told hear of the next
		for (const [key, listener] of [...this.#listeners]) if (this.#listeners.has(key)) listener(message);
	}
}
