import { onAbort } from "../process/on-abort.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";

/** How often and how patiently a failing model is asked again. */
export interface RetryOptions {
	/** Retries after the first attempt. Default 2; 0 for none. */
	readonly maxRetries?: number;
	/** The first wait; each further one is twice as long. Default 500. */
	readonly baseDelayMs?: number;
	/** The longest wait of our own. Default 8,000. */
	readonly maxDelayMs?: number;
	/** The longest wait a server may ask for (`Retry-After`). Default 60,000; a server that asks for more has failed. */
	readonly maxRetryAfterMs?: number;
	/** Waits. Default: a timer. Must settle, by any outcome, when the signal is aborted. */
	readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
	/** From 0 up to 1. Default `Math.random`. */
	readonly random?: () => number;
}

export type RetryPolicy = Required<RetryOptions>;

export function retryPolicy(options: number | RetryOptions = {}): RetryPolicy {
	const given = typeof options === "number" ? { maxRetries: options } : options;
	return {
		maxRetries: given.maxRetries ?? 2,
		baseDelayMs: given.baseDelayMs ?? 500,
		maxDelayMs: given.maxDelayMs ?? 8_000,
		maxRetryAfterMs: given.maxRetryAfterMs ?? 60_000,
		sleep: given.sleep ?? wait,
		random: given.random ?? Math.random,
	};
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve) => {
		if (signal?.aborted) return resolve();
		const end = (): void => {
			clearTimeout(timer);
			stopListening?.();
			resolve();
		};
		const timer = setTimeout(end, ms);
		const stopListening = signal && onAbort(signal, end);
	});
}

/** From a millisecond to more than the longest timer; many more would come to infinity. */
const MAX_DOUBLINGS = 31;

/**
 * How long to wait after the `attempt`-th failure (from 1): what the server asked for, else a random time between half of and the
 * whole exponential step, so that many robots do not come back at once. `undefined`: do not try again.
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, policy: RetryPolicy): number | undefined {
	if (attempt > policy.maxRetries) return undefined;
	if (retryAfterMs !== undefined) return retryAfterMs <= policy.maxRetryAfterMs ? retryAfterMs : undefined;
	const step = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS));
	// beyond the longest timer there would be no wait at all
	return Math.min(step, MAX_TIMEOUT_MS) * (0.5 + policy.random() / 2);
}
