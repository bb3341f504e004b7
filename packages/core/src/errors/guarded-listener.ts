/**
 * A listener that cannot disturb whoever calls it: what it throws, and what a promise it answers with rejects with, goes to
 * `onFailure`. Left alone, a rejection that nobody handles ends the host process.
 *
 * @param onFailure Told of the failure and of what the listener was called with. Default: the failure is dropped. Must not throw.
 */
export function guardedListener<Args extends readonly unknown[]>(
	listener: (...args: Args) => unknown,
	onFailure: (error: unknown, ...args: Args) => void = () => {},
): (...args: Args) => void {
	return (...args) => {
		try {
			const answer = listener(...args);
			if (isThenable(answer)) answer.then(undefined, (error: unknown) => onFailure(error, ...args));
		} catch (error) {
			onFailure(error, ...args);
		}
	};
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
	typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
