import type { Embedder } from "../embedding/embedder.js";
import { unitVectorOf } from "../embedding/unit-vector.js";
import { SharedComputation } from "../process/shared-computation.js";

type Computation = SharedComputation<Float32Array | undefined>;

const MAX_KEPT = 100;

/** The vectors of the last messages, also those that nobody had the time to wait for. In memory alone: messages are private. */
export class MessageVectors {
	readonly #embedder: Embedder;
	/** What was asked for longest ago first. */
	readonly #kept: Map<string, Computation> = new Map();

	constructor(embedder: Embedder) {
		this.#embedder = embedder;
	}

	/** `undefined` for a message without meaning. What fails, and what nobody waits for any more, is asked for anew the next time. */
	async vectorOf(message: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
		const computation = this.#kept.get(message) ?? this.#begin(message);
		this.#kept.delete(message);
		this.#kept.set(message, computation);
		const [oldest] = this.#kept.keys();
		if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
		return computation.wait(signal);
	}

	#begin(message: string): Computation {
		const forget = (): void => {
			if (this.#kept.get(message) === computation) this.#kept.delete(message);
		};
		const compute = async (signal: AbortSignal): Promise<Float32Array | undefined> => {
			try {
				return await unitVectorOf(message, this.#embedder, { signal });
			} catch (error) {
				forget();
				throw error;
			}
		};
		const computation: Computation = new SharedComputation(compute, forget);
		return computation;
	}
}
