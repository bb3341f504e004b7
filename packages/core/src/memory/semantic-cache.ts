import { ConfigurationError } from "../errors/configuration-error.js";
import { JsonValues } from "../json/json-values.js";
import { checkNames } from "../options/check-options.js";
import { SharedComputation } from "../process/shared-computation.js";
import { describeValue } from "../text/describe-value.js";
import { CacheEntries } from "./cache-entries.js";
import { hostClock, type MemoryClock } from "./memory-clock.js";
import type { Remembered } from "./memory-values.js";
import { type FoundAnswer, QuestionFinder } from "./question-finder.js";
import { checkCacheOptions, type SemanticCacheOptions } from "./semantic-cache-options.js";

/** An answer that was found. */
export interface CacheHit<Value = unknown> {
	/** Frozen. */
	readonly value: Value;
	/** The cosine of the two questions; 1 for the very same. */
	readonly score: number;
	/** The question that was asked then. */
	readonly query: string;
}

export interface CacheLookup {
	/** Ends the wait, with its reason. */
	readonly signal?: AbortSignal | undefined;
}

/** What a memory shares with its cache. */
export interface CacheParts {
	readonly clock: MemoryClock;
	readonly values: JsonValues;
}

/** The cache of a memory. Throws ConfigurationError for options that are none. */
export const cacheOfMemory = (options: SemanticCacheOptions, parts: CacheParts): SemanticCache => sharing(options, parts);

/** Only the class itself can give a cache other parts: nobody else's constructor takes any. */
let sharing: typeof cacheOfMemory;

/**
 * Answers by the question, found again for a question that is similar enough. An answer is plain data; what is kept is a frozen copy. An
 * embedder that fails is a process warning, once: the very same question is still found then, a similar one is not.
 */
export class SemanticCache {
	#values: JsonValues;
	#entries: CacheEntries;
	#finder: QuestionFinder;
	readonly #computing: Map<string, SharedComputation<unknown>> = new Map();

	static {
		sharing = (options, parts) => {
			const cache = new SemanticCache(options);
			cache.#values = parts.values;
			[cache.#entries, cache.#finder] = storeOf(options, parts.clock);
			return cache;
		};
	}

	/** Throws ConfigurationError for options that are none. */
	constructor(options: SemanticCacheOptions = {}) {
		this.#values = new JsonValues();
		[this.#entries, this.#finder] = storeOf(options, hostClock);
	}

	/** How many answers are kept. */
	get size(): number {
		return this.#entries.size;
	}

	/** The answer to this question, or to the most similar one; `undefined` without any. Rejects with a signal's reason. */
	async get<Value = unknown>(query: string, options: CacheLookup = {}): Promise<CacheHit<Value> | undefined> {
		const { signal } = checkedLookup("cache.get()", query, options);
		signal?.throwIfAborted();
		const lookup = new SharedComputation(
			(inner) => this.#finder.find(query, inner),
			() => {},
		);
		return hitOf(await lookup.wait(signal)) as CacheHit<Value> | undefined;
	}

	/**
	 * Keeps an answer, in place of one to the very same question. That is found at once; similar questions find it when the promise resolves.
	 * Rejects with ConfigurationError for what is no plain data.
	 */
	async set(query: string, value: unknown): Promise<void> {
		const what = "cache.set()";
		checkQuery(what, query);
		const accepted = this.#values.accept(value, what);
		this.#computing.delete(query);
		const entry = this.#entries.add(query, accepted);
		this.#entries.place(entry, await this.#finder.embeddingOf(query));
	}

	/**
	 * The answer that {@link get} finds, or else what is computed, which is kept. Whoever asks the very same question meanwhile gets the same; what
	 * fails is kept by nobody. The signal ends this wait alone: the computation is told to stop when nobody waits for it any more.
	 */
	async fetch<Value>(
		query: string,
		compute: (signal: AbortSignal) => Value | PromiseLike<Value>,
		options: CacheLookup = {},
	): Promise<Remembered<Value>> {
		const { signal } = checkedLookup("cache.fetch()", query, options);
		if (typeof compute !== "function")
			throw new ConfigurationError(`cache.fetch() takes a function that computes the answer, got ${describeValue(compute)}.`);
		signal?.throwIfAborted();
		const computation = this.#computing.get(query) ?? this.#begin(query, compute);
		return computation.wait(signal) as Promise<Remembered<Value>>;
	}

	/** Forgets the answer to this very question. Whether there was one. */
	delete(query: string): boolean {
		checkQuery("cache.delete()", query);
		this.#computing.delete(query);
		return this.#entries.delete(query);
	}

	/** Forgets all answers, those that are being computed included. */
	clear(): void {
		this.#computing.clear();
		this.#entries.clear();
	}

	#begin(query: string, compute: (signal: AbortSignal) => unknown): SharedComputation<unknown> {
		// what was forgotten, or set, while it was computed is not kept: it is not in the list any more
		const isWanted = (): boolean => this.#computing.get(query) === computation;
		const forget = (): boolean => isWanted() && this.#computing.delete(query);
		const run = async (signal: AbortSignal): Promise<unknown> => {
			try {
				const { entry, embedding } = await this.#finder.find(query, signal);
				if (entry !== undefined) return entry.value;
				signal.throwIfAborted();
				const value = this.#values.accept(await compute(signal), "cache.fetch()");
				if (isWanted()) this.#entries.place(this.#entries.add(query, value), embedding);
				return value;
			} finally {
				forget();
			}
		};
		const computation: SharedComputation<unknown> = new SharedComputation(run, forget);
		this.#computing.set(query, computation);
		return computation;
	}
}

function storeOf(options: SemanticCacheOptions, clock: MemoryClock): readonly [CacheEntries, QuestionFinder] {
	const { embedder, threshold, maxEntries, ttlMs } = checkCacheOptions("new SemanticCache()", options);
	const entries = new CacheEntries(clock, maxEntries, ttlMs);
	return [entries, new QuestionFinder(entries, embedder, threshold)];
}

const hitOf = ({ entry, score }: FoundAnswer): CacheHit | undefined =>
	entry && Object.freeze({ value: entry.value, score, query: entry.query });

function checkedLookup(what: string, query: unknown, options: CacheLookup): CacheLookup {
	checkQuery(what, query);
	checkNames(what, options, ["signal"]);
	return options;
}

function checkQuery(what: string, query: unknown): asserts query is string {
	if (typeof query !== "string") throw new ConfigurationError(`${what}: a question must be text, got ${describeValue(query)}.`);
}
