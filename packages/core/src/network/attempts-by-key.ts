import { untilAborted } from "../process/until-aborted.js";

/** At least so many that have ended are remembered, with what they came to, and at most twice as many. */
const REMEMBERED = 100;

interface Attempt<Answer> {
	readonly key: string;
	answer?: Promise<Answer>;
	isOver: boolean;
}

/**
 * Runs each attempt once, however often it is asked for: see {@link TaskRunner}. Forgets by maps and not by entries: a map of which entries come and go leaves
 * a trail of tables in the engine, each of which keeps the next from being collected. For a million attempts that took more than twice the time and four
 * times the memory.
 */
export class AttemptsByKey<Answer> {
	/** Those that began or ended last, and those that run on from before. */
	#recent = new Map<string, Attempt<Answer>>();
	/** Those before them, which are forgotten next. */
	#earlier: ReadonlyMap<string, Attempt<Answer>> = new Map();
	/** How many have ended since those became the earlier ones. */
	#ended = 0;

	/** @param signal Of who asks: ends the waiting for a run that another has begun. */
	once(key: string, signal: AbortSignal | undefined, run: () => Promise<Answer>): Promise<Answer> {
		const known = (this.#recent.get(key) ?? this.#earlier.get(key))?.answer;
		if (known !== undefined) return untilAborted(known, signal);
		const attempt: Attempt<Answer> = { key, isOver: false };
		this.#recent.set(key, attempt);
		const answer = this.#toEnd(attempt, run);
		attempt.answer = answer;
		return answer;
	}

	async #toEnd(attempt: Attempt<Answer>, run: () => Promise<Answer>): Promise<Answer> {
		try {
			return await run();
		} finally {
			attempt.isOver = true;
			this.#recent.set(attempt.key, attempt);
			this.#ended += 1;
			if (this.#ended === REMEMBERED) this.#forget();
		}
	}

	#forget(): void {
		const forgotten = this.#earlier;
		this.#earlier = this.#recent;
		this.#recent = new Map();
		this.#ended = 0;
		for (const attempt of forgotten.values()) if (!attempt.isOver) this.#recent.set(attempt.key, attempt);
	}
}
