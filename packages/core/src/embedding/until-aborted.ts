/** What the promise comes to, or the signal's reason as soon as it is aborted, whether or not who makes the promise heeds it. */
export async function untilAborted<T>(make: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (signal === undefined) return make();
	signal.throwIfAborted();
	const { promise: ended, reject } = Promise.withResolvers<never>();
	const end = (): void => reject(signal.reason);
	signal.addEventListener("abort", end, { once: true });
	try {
		return await Promise.race([make(), ended]);
	} finally {
		signal.removeEventListener("abort", end);
	}
}
