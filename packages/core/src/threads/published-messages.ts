/** Messages of one connection of which it still hears. */
export class PublishedMessages {
	readonly #messages: Map<string, { settled: number; recipients: number }> = new Map();

	get size(): number {
		return this.#messages.size;
	}

	/** Some may settle it before it is known how many there are. */
	add(id: string): void {
		this.#messages.set(id, { settled: 0, recipients: Number.POSITIVE_INFINITY });
	}

	/** @param recipients `undefined`: it was given up, and nobody counts who had it by then. */
	expect(id: string, recipients: number | undefined): void {
		const message = this.#messages.get(id);
		if (message === undefined) return;
		message.recipients = recipients ?? 0;
		this.#forget(id, message);
	}

	settle(id: string): void {
		const message = this.#messages.get(id);
		if (message === undefined) return;
		message.settled += 1;
		this.#forget(id, message);
	}

	clear(): void {
		this.#messages.clear();
	}

	#forget(id: string, { settled, recipients }: { readonly settled: number; readonly recipients: number }): void {
		if (settled >= recipients) this.#messages.delete(id);
	}
}
