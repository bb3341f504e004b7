import { type Json, JsonValues } from "../json/json-values.js";
import type { RobotResult } from "../message/robot-result.js";
import { KeptResults } from "./kept-results.js";
import type { MemoryBackend } from "./memory-backend.js";
import type { ChangeFacts, MemoryChange } from "./memory-change.js";
import type { MemoryClock } from "./memory-clock.js";
import { MemoryListeners } from "./memory-listeners.js";
import { MemoryWaiters } from "./memory-waiters.js";
import { checkKey, checkReserved, initialValue, isReserved } from "./reserved-keys.js";
import { cacheOfMemory, type SemanticCache } from "./semantic-cache.js";
import type { SemanticCacheOptions } from "./semantic-cache-options.js";

/** What a store is made with. */
export interface MemoryParts {
	readonly backend: MemoryBackend;
	readonly clock: MemoryClock;
	readonly onListenerError: ((error: unknown) => unknown) | undefined;
	readonly cache: SemanticCacheOptions;
}

/** A key to be written, or deleted where there is no value. */
export interface Write {
	readonly key: string;
	readonly value?: Json;
}

/** What the handles of one memory share: the values, who waits for them and who is told of changes. */
export class MemoryStore {
	readonly parts: MemoryParts;
	readonly waiters: MemoryWaiters;
	readonly listeners: MemoryListeners;
	readonly #values: JsonValues;
	readonly #results: KeptResults = new KeptResults();
	#cache: SemanticCache | undefined;

	/** @param values Those of another store, to take its copies over as they are. */
	constructor(parts: MemoryParts, values: JsonValues = new JsonValues()) {
		this.parts = parts;
		this.#values = values;
		this.waiters = new MemoryWaiters(parts.clock, (key) => this.read(key));
		this.listeners = new MemoryListeners(parts.onListenerError);
	}

	/** What is there to be read: for some reserved keys something is before anything was written. */
	read(key: string): Json | undefined {
		const stored = this.#stored(key);
		return stored === undefined ? initialValue(key) : stored;
	}

	/** The keys that are not reserved. */
	keys(): readonly string[] {
		return this.parts.backend.keys().filter((key) => !isReserved(key));
	}

	get results(): readonly RobotResult[] {
		return this.#results.of(this.read("results") as readonly Json[]);
	}

	/** Made when it is first asked for: most memories have no use for one. */
	get cache(): SemanticCache {
		this.#cache ??= cacheOfMemory(this.parts.cache, { clock: this.parts.clock, values: this.#values });
		return this.#cache;
	}

	/** A write that can be made. Throws ConfigurationError, beginning with `what`, for one that cannot. */
	checked(key: string, value: unknown, what: string): Write {
		checkKey(key, what);
		const accepted = this.#values.accept(value, what);
		checkReserved(key, accepted, what);
		if (key === "results") this.#results.of(accepted as readonly Json[]);
		return { key, value: accepted };
	}

	/** A write that puts a value behind those of a list. What was appended before is not copied again. */
	appended(key: "results", value: unknown, what: string): Write {
		const list = this.read(key) as readonly Json[];
		return this.checked(key, [...list, this.#values.accept(value, what)], what);
	}

	/** Makes changes, wakes who waits for them, and then tells of them. Answers how many there were: deleting what is not there is none. */
	change(writes: readonly Write[], writer: string | undefined): number {
		this.listeners.checkLoop();
		let made = 0;
		try {
			for (const write of writes) if (this.#make(write, writer)) made += 1;
		} finally {
			this.listeners.tell();
		}
		return made;
	}

	/** A store of its own, in process, with the same values: they are frozen, so both may have them. Nobody waits there, or listens. */
	clone(backend: MemoryBackend): MemoryStore {
		const clone = new MemoryStore({ ...this.parts, backend }, this.#values);
		for (const key of this.parts.backend.keys()) backend.write(key, this.#stored(key) as Json);
		return clone;
	}

	#make({ key, value }: Write, writer: string | undefined): boolean {
		const { backend, clock } = this.parts;
		const previous = this.#stored(key);
		if (value === undefined && previous === undefined) return false;
		if (value === undefined) backend.remove(key);
		else backend.write(key, value);
		this.waiters.note(key, value !== undefined || initialValue(key) !== undefined);
		this.listeners.add(changeOf({ key, writer, timestamp: clock.now() }, value, previous));
		return true;
	}

	#stored(key: string): Json | undefined {
		const { backend } = this.parts;
		const value = backend.read(key);
		return value === undefined
			? undefined
			: this.#values.accept(value, `The memory backend "${backend.name}" gave what it cannot have been given`);
	}
}

function changeOf(facts: ChangeFacts, value: Json | undefined, previous: Json | undefined): MemoryChange {
	if (value === undefined) return Object.freeze({ ...facts, kind: "deleted", value, previous });
	if (previous === undefined) return Object.freeze({ ...facts, kind: "created", value, previous });
	return Object.freeze({ ...facts, kind: "updated", value, previous });
}
