import { onAbort } from "../process/on-abort.js";

/** The moment at which one call has to end: its signal is aborted then, or with the run's, whichever comes first. */
export class CallDeadline {
	readonly #controller = new AbortController();
	readonly #timer: NodeJS.Timeout;
	readonly #run: AbortSignal | undefined;
	readonly #stopListening: (() => void) | undefined;

	/** @param run The run's signal. Not aborted yet. */
	constructor(timeoutMs: number, run: AbortSignal | undefined) {
		this.#run = run;
		this.#timer = setTimeout(() => {
			this.#controller.abort(new DOMException(`The tool did not end within ${timeoutMs} ms.`, "TimeoutError"));
		}, timeoutMs);
		this.#stopListening = run && onAbort(run, () => this.#followRun(run));
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Whether the time is up, in a run that goes on: one that was aborted, even after that moment, is over for that reason. */
	get hasPassed(): boolean {
		return this.signal.aborted && this.#run?.aborted !== true;
	}

	/** Leaves no timer and no listener behind. */
	stop(): void {
		clearTimeout(this.#timer);
		this.#stopListening?.();
	}

	#followRun(run: AbortSignal): void {
		clearTimeout(this.#timer);
		this.#controller.abort(run.reason);
	}
}
