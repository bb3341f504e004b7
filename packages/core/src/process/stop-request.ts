import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import { onAbort } from "./on-abort.js";

/** Why a run is ended from outside. */
export type StopReason = "timeout" | "abort";

/** Waits for a deadline or an abort, whichever comes first. */
export class StopRequest {
	/** Settles when the run is to be ended. */
	readonly made: Promise<StopReason>;
	#make: (reason: StopReason) => void = () => {};
	#timer: NodeJS.Timeout | undefined;
	readonly #stopListening: (() => void) | undefined;

	/** @param deadline On the clock of `performance.now()`, however far away: what one timer cannot hold is waited for in parts. */
	constructor(signal: AbortSignal | undefined, deadline: number | undefined) {
		this.made = new Promise((resolve) => {
			this.#make = resolve;
		});
		if (signal?.aborted) this.#make("abort");
		this.#stopListening = signal && onAbort(signal, () => this.#make("abort"));
		if (deadline !== undefined) this.#waitUntil(deadline);
	}

	/** The run is over: nothing is waited for any more. */
	dispose(): void {
		clearTimeout(this.#timer);
		this.#stopListening?.();
	}

	#waitUntil(deadline: number): void {
		const remaining = deadline - performance.now();
		if (remaining <= 0) this.#make("timeout");
		else this.#timer = setTimeout(() => this.#waitUntil(deadline), Math.min(Math.ceil(remaining), MAX_TIMEOUT_MS));
	}
}
