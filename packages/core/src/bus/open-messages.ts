import type { OutgoingMessage } from "./outgoing-message.js";

/** Most are settled before the next few are sent. A map that is filled and emptied again and again costs more than all else of a message. */
const FEW = 16;

/** Messages of which something is still to be told, by their ids. */
export class OpenMessages {
	readonly #few: OutgoingMessage[] = [];
	readonly #many: Map<string, OutgoingMessage> = new Map();

	add(sent: OutgoingMessage): void {
		if (this.#few.length < FEW) this.#few.push(sent);
		else this.#many.set(sent.record.id, sent);
	}

	find(id: string): OutgoingMessage | undefined {
		for (const sent of this.#few) if (sent.record.id === id) return sent;
		return this.#many.get(id);
	}

	/** Harmless where it is not there. */
	delete(sent: OutgoingMessage): void {
		const place = this.#few.indexOf(sent);
		if (place === -1) {
			this.#many.delete(sent.record.id);
			return;
		}
		const last = this.#few.pop();
		if (last !== undefined && last !== sent) this.#few[place] = last;
	}

	/** As they are now. */
	get all(): readonly OutgoingMessage[] {
		return [...this.#few, ...this.#many.values()];
	}
}
