import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** Numbers without gaps: what orders the events of a run and of every run beneath it. */
export class SequenceCounter {
	#current: number;

	/**
	 * @param start The number before the first: a whole number of 0 or more, anything else throws ConfigurationError. Default 0, so that
	 * the first is 1.
	 */
	constructor(start = 0) {
		this.#current = checked(start);
	}

	/** Takes the next number. */
	next(): number {
		this.#current += 1;
		return this.#current;
	}

	/** The number taken last; before any, where it started. */
	get current(): number {
		return this.#current;
	}

	/**
	 * Goes on from `value`: the next number is `value + 1`. Default 0. As the constructor's, it must be whole. Numbers that a log was given
	 * already are repetitions to it.
	 */
	reset(value = 0): void {
		this.#current = checked(value);
	}
}

function checked(value: number): number {
	if (Number.isSafeInteger(value) && value >= 0) return value;
	throw new ConfigurationError(`A SequenceCounter goes on from a whole number of 0 or more, got ${describeValue(value)}.`);
}
