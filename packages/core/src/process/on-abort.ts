interface Listening {
	readonly listeners: Set<() => void>;
	readonly tell: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls the listener once when the signal is aborted, not when it already is. However many listen, the signal gets one listener: from
 * the eleventh on some versions of Node warn of a leak, and a signal that ends many runs at once is none.
 *
 * @param listener Must not throw.
 * @returns Stops listening.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
	const { listeners, tell } = listening.get(signal) ?? begin(signal);
	// A function that is given twice is called twice, and each time stopped apart.
	const own = (): void => listener();
	listeners.add(own);
	return () => {
		if (!listeners.delete(own) || listeners.size > 0) return;
		listening.delete(signal);
		signal.removeEventListener("abort", tell);
	};
}

function begin(signal: AbortSignal): Listening {
	const listeners = new Set<() => void>();
	const tell = (): void => {
		for (const listener of listeners) listener();
	};
	const begun = { listeners, tell };
	listening.set(signal, begun);
	signal.addEventListener("abort", tell, { once: true });
	return begun;
}
