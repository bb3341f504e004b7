import type { Json } from "../json/json-values.js";
import { untilAborted } from "../process/until-aborted.js";

/** What is to pass, and what it waits for. */
interface Passage {
	readonly channel: string;
	readonly content: Json | Promise<Json>;
	/** Ends the waiting. */
	readonly signal: AbortSignal | undefined;
	/** Called with the content when its turn has come. */
	readonly pass: (content: Json) => void;
}

/** Contents that are checked for a while pass in the order in which they were sent, each channel by itself. */
export class ContentTurns {
	/** Settles with the last of a channel, and all before it. */
	readonly #last: Map<string, Promise<unknown>> = new Map();
	#passing = 0;
	readonly #end: AbortController = new AbortController();

	/** Whether what is sent now has to wait for others. */
	isBusy(channel: string): boolean {
		return this.#passing > 0 && this.#last.has(channel);
	}

	/** Rejects, at once, with what the content is refused with, the reason of the signal, and the error of the end. One that does so holds up no other. */
	when({ channel, content, signal, pass }: Passage): Promise<void> {
		const before = this.#last.get(channel);
		const checked = untilAborted(untilAborted(Promise.all([content, before]), signal), this.#end.signal);
		const passed = checked.then(([accepted]) => pass(accepted));
		this.#passing += 1;
		const last = Promise.allSettled([before, passed]).then(() => {
			this.#passing -= 1;
			if (this.#last.get(channel) === last) this.#last.delete(channel);
		});
		this.#last.set(channel, last);
		return passed;
	}

	/** Nothing passes any more. */
	end(error: unknown): void {
		this.#end.abort(error);
	}
}
