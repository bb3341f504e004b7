import { setImmediate } from "node:timers/promises";
import { deferred } from "../../src/process/deferred.js";

/** Lets everything happen that follows at once from what has happened. */
export const settledDown = async (): Promise<void> => {
	await setImmediate();
	await setImmediate();
};

/** A handler that ends when it is told to, and what it was given. */
export function heldHandler<Message>(): {
	readonly handler: (message: Message) => Promise<void>;
	readonly given: Message[];
	/** Ends the first that is held. */
	readonly release: () => void;
} {
	const given: Message[] = [];
	const held: (() => void)[] = [];
	return {
		handler: (message) => {
			given.push(message);
			const { promise, resolve } = deferred<void>();
			held.push(() => resolve());
			return promise;
		},
		given,
		release: () => held.shift()?.(),
	};
}
