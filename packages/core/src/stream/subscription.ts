/** Something that was asked to be told, until it says otherwise. */
export interface Subscription extends Disposable {
	/** Unique in the process. */
	readonly id: string;
	/** Nothing is told any more, from now on. Harmless when done twice. */
	unsubscribe(): void;
}

let made = 0;

/** @param stop Must be harmless when called twice. */
export function subscription(stop: () => void): Subscription {
	made += 1;
	return { id: `subscription-${made}`, unsubscribe: stop, [Symbol.dispose]: stop };
}
