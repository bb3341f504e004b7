import { type ABORTED, unlessAborted } from "../process/unless-aborted.js";

/** One question that several wait for. It is called off when nobody is left who does. */
export class SharedQuestion<Answer> {
	readonly #controller = new AbortController();
	readonly #answer: Promise<Answer>;
	#waiting = 0;
	#isOpen = true;

	/** @param onEnd Called once it is answered or called off: whoever comes later asks again. */
	constructor(ask: (signal: AbortSignal) => Promise<Answer>, onEnd: () => void) {
		this.#answer = ask(this.#controller.signal).finally(() => this.#end(onEnd));
		this.#controller.signal.addEventListener("abort", () => this.#end(onEnd), { once: true });
		// when nobody waits for it any more, what it fails with is nobody's
		this.#answer.catch(() => {});
	}

	/** The answer, or ABORTED as soon as the signal says so. */
	async wait(signal: AbortSignal | undefined): Promise<Answer | typeof ABORTED> {
		this.#waiting += 1;
		try {
			return await unlessAborted(this.#answer, signal);
		} finally {
			this.#waiting -= 1;
			if (this.#waiting === 0 && this.#isOpen) this.#controller.abort();
		}
	}

	#end(onEnd: () => void): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		onEnd();
	}
}
