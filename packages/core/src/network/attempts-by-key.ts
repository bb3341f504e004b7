import { untilAborted } from "../process/until-aborted.js";

/** So many that have ended are remembered, with what they came to. */
const REMEMBERED = 100;

/** Runs each attempt once, however often it is asked for: see {@link TaskRunner}. */
export class AttemptsByKey<Answer> {
	/** Those that run, and the last that ended. */
	readonly #attempts = new Map<string, Promise<Answer>>();
	/** The keys of the last that ended, in a ring. */
	readonly #ended: string[] = [];
	#next = 0;

	/** @param signal Of who asks: ends the waiting for a run that another has begun. */
	once(key: string, signal: AbortSignal | undefined, run: () => Promise<Answer>): Promise<Answer> {
		const known = this.#attempts.get(key);
		if (known !== undefined) return untilAborted(known, signal);
		const attempt = this.#toEnd(key, run);
		this.#attempts.set(key, attempt);
		return attempt;
	}

	async #toEnd(key: string, run: () => Promise<Answer>): Promise<Answer> {
		try {
			return await run();
		} finally {
			this.#remember(key);
		}
	}

	/** Forgets the one that ended first for it. */
	#remember(key: string): void {
		const forgotten = this.#ended[this.#next];
		if (forgotten !== undefined) this.#attempts.delete(forgotten);
		this.#ended[this.#next] = key;
		this.#next = (this.#next + 1) % REMEMBERED;
	}
}
