import { VectorSet } from "../embedding/vector-set.js";
import type { Json } from "../json/json-values.js";
import type { MemoryClock } from "./memory-clock.js";

/** One answer, below its question. */
export interface CacheEntry {
	readonly query: string;
	readonly value: Json;
	readonly expiresAt: number;
	/** Whose vector it is found by. Absent until there is one, and for a question that has none. */
	embedderId?: string;
}

/** Vectors of different embedders cannot be compared. */
export interface QueryEmbedding {
	readonly embedderId: string;
	readonly vector: Float32Array;
}

export interface FoundEntry {
	readonly entry: CacheEntry;
	readonly score: number;
}

/** Answers below their questions, the one that was asked for longest ago first. Those whose time is up are gone. */
export class CacheEntries {
	readonly #clock: MemoryClock;
	readonly #maxEntries: number;
	readonly #ttlMs: number;
	readonly #entries: Map<string, CacheEntry> = new Map();
	/** Those whose question has a meaning, as soon as it is known. */
	readonly #vectors: VectorSet<CacheEntry> = new VectorSet();

	constructor(clock: MemoryClock, maxEntries: number, ttlMs: number) {
		this.#clock = clock;
		this.#maxEntries = maxEntries;
		this.#ttlMs = ttlMs;
	}

	get size(): number {
		this.#dropExpired();
		return this.#entries.size;
	}

	add(query: string, value: Json): CacheEntry {
		this.#dropExpired();
		const entry: CacheEntry = { query, value, expiresAt: this.#clock.now() + this.#ttlMs };
		this.#remove(query);
		this.#entries.set(query, entry);
		for (const oldest of this.#entries.keys()) {
			if (this.#entries.size <= this.#maxEntries) break;
			this.#remove(oldest);
		}
		return entry;
	}

	/** From now on similar questions find the entry, unless it gave way meanwhile. */
	place(entry: CacheEntry, embedding: QueryEmbedding | undefined): void {
		if (embedding === undefined || this.#entries.get(entry.query) !== entry) return;
		entry.embedderId = embedding.embedderId;
		this.#vectors.add(entry, embedding.vector);
	}

	/** The answer to this very question. */
	exactly(query: string): CacheEntry | undefined {
		this.#dropExpired();
		const entry = this.#entries.get(query);
		if (entry !== undefined) this.#putLast(entry);
		return entry;
	}

	/** The answer to the most similar question of those that are similar enough. */
	nearest({ embedderId, vector }: QueryEmbedding, threshold: number, saysSame: (query: string) => boolean): FoundEntry | undefined {
		this.#dropExpired();
		const alike = this.#vectors.nearest(vector, { limit: this.#entries.size, minScore: threshold });
		const best = alike.find(({ item }) => item.embedderId === embedderId && saysSame(item.query));
		if (best === undefined) return undefined;
		this.#putLast(best.item);
		return { entry: best.item, score: best.score };
	}

	delete(query: string): boolean {
		this.#dropExpired();
		return this.#remove(query);
	}

	clear(): void {
		this.#entries.clear();
		this.#vectors.clear();
	}

	#remove(query: string): boolean {
		const entry = this.#entries.get(query);
		if (entry !== undefined) this.#vectors.delete(entry);
		return this.#entries.delete(query);
	}

	#putLast(entry: CacheEntry): void {
		this.#entries.delete(entry.query);
		this.#entries.set(entry.query, entry);
	}

	#dropExpired(): void {
		if (this.#ttlMs === Number.POSITIVE_INFINITY) return;
		const now = this.#clock.now();
		for (const { query, expiresAt } of this.#entries.values()) if (expiresAt <= now) this.#remove(query);
	}
}
