import { similarityTo } from "../embedding/unit-vector.js";
import type { Json } from "../json/json-values.js";
import type { MemoryClock } from "./memory-clock.js";

/** One answer, below its question. */
export interface CacheEntry {
	readonly query: string;
	readonly value: Json;
	readonly expiresAt: number;
	/** Absent until it is there, and for a question that has none. */
	embedding?: QueryEmbedding | undefined;
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
		this.#putLast(entry);
		for (const oldest of this.#entries.keys()) {
			if (this.#entries.size <= this.#maxEntries) break;
			this.#entries.delete(oldest);
		}
		return entry;
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
		const scoreOf = similarityTo(vector);
		let best: FoundEntry | undefined;
		for (const entry of this.#entries.values()) {
			if (entry.embedding?.embedderId !== embedderId) continue;
			const score = scoreOf(entry.embedding.vector);
			if (score >= threshold && score > (best?.score ?? 0) && saysSame(entry.query)) best = { entry, score };
		}
		if (best !== undefined) this.#putLast(best.entry);
		return best;
	}

	delete(query: string): boolean {
		this.#dropExpired();
		return this.#entries.delete(query);
	}

	clear(): void {
		this.#entries.clear();
	}

	#putLast(entry: CacheEntry): void {
		this.#entries.delete(entry.query);
		this.#entries.set(entry.query, entry);
	}

	#dropExpired(): void {
		if (this.#ttlMs === Number.POSITIVE_INFINITY) return;
		const now = this.#clock.now();
		for (const { query, expiresAt } of this.#entries.values()) if (expiresAt <= now) this.#entries.delete(query);
	}
}
