import { randomUUID } from "node:crypto";

/** Something that was asked to be told, until it says otherwise. */
export interface Subscription extends Disposable {
	/** Unique, in other processes too. */
	readonly id: string;
	/** Nothing is told any more, from now on. Harmless when done twice. */
	unsubscribe(): void;
}

/** @param stop Must be harmless when called twice. */
export function subscription(stop: () => void): Subscription {
	return { id: `subscription-${randomUUID()}`, unsubscribe: stop, [Symbol.dispose]: stop };
}
