/** Counts what goes on, and tells who waits until nothing does. */
export class OpenWork {
	#open = 0;
	#waiting: (() => void)[] = [];

	begin(): void {
		this.#open += 1;
	}

	end(): void {
		this.#open -= 1;
		if (this.#open === 0 && this.#waiting.length > 0) this.#tell();
	}

	/** Resolves when nothing goes on: at once where that is so. */
	async idle(): Promise<void> {
		if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	#tell(): void {
		const waiting = this.#waiting;
		this.#waiting = [];
		for (const resolve of waiting) resolve();
	}
}
