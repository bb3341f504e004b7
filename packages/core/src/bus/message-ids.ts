const THOUSAND = 1_000;

/** The last three digits of a number. */
const DIGITS: readonly string[] = Array.from({ length: THOUSAND }, (_, rest) => `${rest}`.padStart(3, "0"));

/** The whole numbers from 1 on, as texts. To make a text of a number costs several times what it costs to join two that are there, so that is done once for each thousand. */
export class MessageIds {
	#thousands = 0;
	#rest = 0;
	#beginning = "";

	next(): string {
		this.#rest += 1;
		if (this.#rest === THOUSAND) {
			this.#rest = 0;
			this.#thousands += 1;
			this.#beginning = `${this.#thousands}`;
		}
		return this.#thousands === 0 ? `${this.#rest}` : `${this.#beginning}${DIGITS[this.#rest]}`;
	}
}
