import type { Attempt } from "./attempt.js";

/** Who hears how handlers end. */
export interface LaneOwner {
	ended(attempt: Attempt, answer: unknown): void;
	failed(attempt: Attempt, error: unknown): void;
}

/** What waits for the ends of handlers, one after the other: a wait for each would have functions of its own, which costs as much as the rest of a delivery. */
export class Lane {
	readonly #owner: LaneOwner;
	#attempt: Attempt | undefined = undefined;

	constructor(owner: LaneOwner) {
		this.#owner = owner;
	}

	/** Tells of one end, and one only, whatever the answer of a handler is. Never throws. */
	follow(attempt: Attempt, answer: object): void {
		try {
			if (isPlain(answer)) {
				this.#attempt = attempt;
				answer.then(this.#ended, this.#failed);
				return;
			}
		} catch {
			// somebody has hung something on it
		}
		void this.#await(attempt, answer);
	}

	readonly #ended = (answer: unknown): void => this.#owner.ended(this.#attempt as Attempt, answer);

	readonly #failed = (error: unknown): void => this.#owner.failed(this.#attempt as Attempt, error);

	/** `await` takes a promise for what it is, whatever was hung on it, and only the first word of a thenable. */
	async #await(attempt: Attempt, answer: unknown): Promise<void> {
		let value: unknown;
		try {
			value = await answer;
		} catch (error) {
			this.#owner.failed(attempt, error);
			return;
		}
		this.#owner.ended(attempt, value);
	}
}

const { then } = Promise.prototype;

/** Whether it is what most handlers answer with: a promise by which nobody has hung anything that `then` would go by. Throws where reading it does. */
const isPlain = (answer: object): answer is Promise<unknown> =>
	answer instanceof Promise && answer.constructor === Promise && answer.then === then;
