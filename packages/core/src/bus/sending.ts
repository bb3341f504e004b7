import { deferred } from "../process/deferred.js";
import type { Letter, Sender } from "./letter.js";
import type { OutgoingMessage } from "./outgoing-message.js";

/** What cannot be sent at once: its content is being checked, or it waits until every queue has taken it. */
export class Sending {
	readonly from: Sender;
	readonly letter: Letter;
	/** Where nobody takes an answer, that is no error of whoever answers, but a dead letter. */
	readonly isAnswer: boolean;
	/** `undefined` while the content is being checked. */
	sent: OutgoingMessage | undefined;
	readonly #outcome: ReturnType<typeof deferred<OutgoingMessage>> = deferred();

	constructor(from: Sender, letter: Letter, isAnswer: boolean) {
		this.from = from;
		this.letter = letter;
		this.isAnswer = isAnswer;
		if (isAnswer) this.#needsNobody();
	}

	/** For whoever sends. */
	get outcome(): Promise<OutgoingMessage> {
		return this.#outcome.promise;
	}

	/** Whoever sends gave up. */
	get isStopped(): boolean {
		return this.letter.signal?.aborted === true;
	}

	taken(sent: OutgoingMessage | Promise<OutgoingMessage>): void {
		this.#outcome.resolve(sent);
	}

	failed(error: unknown): void {
		this.#outcome.reject(error);
	}

	/** The same where nobody has to heed it: whoever sends gave up, or there is a dead letter. */
	failedAsTold(error: unknown): void {
		this.#needsNobody();
		this.#outcome.reject(error);
	}

	#needsNobody(): void {
		this.#outcome.promise.catch(() => {});
	}
}
