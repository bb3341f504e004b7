import { onAbort } from "./on-abort.js";

/** One computation for all who wait for it at once. It is told to stop when nobody waits any more. */
export class SharedComputation<Value> {
	readonly #controller: AbortController = new AbortController();
	readonly #outcome: Promise<Value>;
	readonly #onLeft: () => void;
	#waiting = 0;

	/**
	 * @param compute Begins at once. Its signal is aborted when nobody waits any more.
	 * @param onLeft Called then.
	 */
	constructor(compute: (signal: AbortSignal) => Promise<Value>, onLeft: () => void) {
		this.#outcome = compute(this.#controller.signal);
		this.#outcome.catch(() => {}); // who waits is told; there may be nobody
		this.#onLeft = onLeft;
	}

	/** What it comes to. A signal that is not aborted yet ends the wait with its reason, and nobody else's. */
	wait(signal: AbortSignal | undefined): Promise<Value> {
		this.#waiting += 1;
		if (signal === undefined) return this.#outcome;
		return new Promise((resolve, reject) => {
			const stopListening = onAbort(signal, () => {
				reject(signal.reason);
				this.#waiting -= 1;
				if (this.#waiting > 0) return;
				this.#onLeft();
				this.#controller.abort(signal.reason);
			});
			this.#outcome.then(resolve, reject).finally(stopListening);
		});
	}
}
