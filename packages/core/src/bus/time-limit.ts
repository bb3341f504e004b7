import { onAbort } from "../process/on-abort.js";

/** How long to wait. */
export interface WaitOptions {
	/** Milliseconds. Default: for ever. Keeps the process alive. */
	readonly timeoutMs?: number | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Ends a wait when its time is up, or its signal is aborted. The timer keeps the process alive: what is waited for would be given up without a word. */
export class TimeLimit {
	readonly #timer: NodeJS.Timeout | undefined;
	readonly #stopListening: (() => void) | undefined;

	/**
	 * Throws the signal's reason where it is aborted already.
	 *
	 * @param late Makes the error where the time is up.
	 * @param giveUp Called once with that, or with the signal's reason, unless the wait ends before. Must not throw.
	 */
	constructor({ timeoutMs, signal }: WaitOptions, late: (timeoutMs: number) => Error, giveUp: (error: unknown) => void) {
		signal?.throwIfAborted();
		this.#stopListening =
			signal &&
			onAbort(signal, () => {
				this.end();
				giveUp(signal.reason);
			});
		if (timeoutMs === undefined) return;
		this.#timer = setTimeout(() => {
			this.end();
			giveUp(late(timeoutMs));
		}, timeoutMs);
	}

	/** The wait is over. */
	end(): void {
		clearTimeout(this.#timer);
		this.#stopListening?.();
	}
}

/** What comes of something that heeds a signal: it is aborted when the time is up, or the given one is. */
export async function withinLimits<T>(
	options: WaitOptions,
	late: (timeoutMs: number) => Error,
	begin: (signal: AbortSignal | undefined) => T | Promise<T>,
): Promise<T> {
	if (options.timeoutMs === undefined) return begin(options.signal);
	const stop = new AbortController();
	const limit = new TimeLimit(options, late, (error) => stop.abort(error));
	try {
		return await begin(stop.signal);
	} finally {
		limit.end();
	}
}
