import { onAbort } from "./on-abort.js";

/** Stands for what never came because the run was aborted first. */
export const ABORTED: unique symbol = Symbol("aborted");

/** The promise's value, or ABORTED as soon as the signal says so, whether or not what was promised heeds it. Without a signal it costs nothing. */
export function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): PromiseLike<T | typeof ABORTED> {
	if (signal === undefined) return promise;
	if (signal.aborted) {
		promise.then(undefined, () => {});
		return Promise.resolve(ABORTED);
	}
	return new Promise((resolve, reject) => {
		const stopListening = onAbort(signal, () => resolve(ABORTED));
		promise.then(resolve, reject).then(stopListening);
	});
}
