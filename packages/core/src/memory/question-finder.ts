import type { Embedder } from "../embedding/embedder.js";
import { unitVectorOf } from "../embedding/unit-vector.js";
import { failureReport } from "../stream/failure-report.js";
import type { CacheEntries, CacheEntry, FoundEntry, QueryEmbedding } from "./cache-entries.js";

/** What was found for a question. */
export interface FoundAnswer {
	readonly entry: CacheEntry | undefined;
	/** The cosine of the two questions; 1 for the very same. */
	readonly score: number;
	/** Of the question that was asked, for keeping the answer to it. */
	readonly embedding: QueryEmbedding | undefined;
}

/** Finds answers by their questions. An embedder that fails is a process warning, once, and costs what would have been found, never more. */
export class QuestionFinder {
	readonly #entries: CacheEntries;
	readonly #embedder: Embedder;
	readonly #threshold: number;
	readonly #report: (error: unknown) => void;

	constructor(entries: CacheEntries, embedder: Embedder, threshold: number) {
		this.#entries = entries;
		this.#embedder = embedder;
		this.#threshold = threshold;
		this.#report = failureReport(undefined, {
			what: `The embedder "${embedder.id}" of a semantic cache failed, and similar questions are not found`,
			code: "ROBOT_LAB_CACHE_EMBEDDER_FAILED",
		});
	}

	/** Rejects with nothing but the signal's reason. */
	async find(query: string, signal: AbortSignal): Promise<FoundAnswer> {
		const exact = this.#entries.exactly(query);
		if (exact !== undefined) return { entry: exact, score: 1, embedding: undefined };
		const embedding = await this.embeddingOf(query, signal);
		const nearest = embedding && (await this.#unlessItFails(signal, () => this.#nearest(query, embedding)));
		return { entry: nearest?.entry, score: nearest?.score ?? 0, embedding };
	}

	/** `undefined` for a question without a meaning that the embedder knows. */
	embeddingOf(query: string, signal?: AbortSignal): Promise<QueryEmbedding | undefined> {
		return this.#unlessItFails(signal, async () => {
			const vector = await unitVectorOf(query, this.#embedder, { ...(signal && { signal }) });
			return vector && { embedderId: this.#embedder.id, vector };
		});
	}

	#nearest(query: string, embedding: QueryEmbedding): FoundEntry | undefined {
		return this.#entries.nearest(embedding, this.#threshold, (other) => this.#embedder.saysSame?.(query, other) ?? true);
	}

	async #unlessItFails<T>(signal: AbortSignal | undefined, embed: () => T | Promise<T>): Promise<T | undefined> {
		try {
			return await embed();
		} catch (error) {
			signal?.throwIfAborted();
			this.#report(error);
			return undefined;
		}
	}
}
