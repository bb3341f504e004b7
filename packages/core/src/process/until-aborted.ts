import { deferred } from "./deferred.js";
import { onAbort } from "./on-abort.js";

/** The promise's value, or a rejection with the signal's reason as soon as it is aborted, whether or not what was promised heeds it. */
export async function untilAborted<T>(promised: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
	if (signal === undefined) return promised;
	const { promise, resolve, reject } = deferred<T>();
	const stopListening = signal.aborted ? undefined : onAbort(signal, () => reject(signal.reason));
	if (signal.aborted) reject(signal.reason);
	// also where the signal was first: what it fails with later is no unhandled rejection
	Promise.resolve(promised).then(resolve, reject);
	return promise.finally(stopListening);
}
