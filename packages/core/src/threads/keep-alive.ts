import { isMainThread } from "node:worker_threads";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";

/**
 * Keeps this thread alive while there is a reason, whatever else does. A port is no good for it: it is shared with others, who have reasons of their own.
 */
export class KeepAlive {
	readonly #timer: NodeJS.Timeout = setInterval(() => {}, MAX_TIMEOUT_MS).unref();
	#isHolding = false;

	/**
	 * @param isAtWork Something is going on that others wait for.
	 * @param isThere Others may want something: reason enough for a worker, which is there for them, and none for the main thread, which ends with its own work.
	 */
	hold(isAtWork: boolean, isThere: boolean): void {
		const holds = isAtWork || (isThere && !isMainThread);
		if (holds === this.#isHolding) return;
		this.#isHolding = holds;
		if (holds) this.#timer.ref();
		else this.#timer.unref();
	}

	/** For ever. */
	end(): void {
		clearInterval(this.#timer);
	}
}
