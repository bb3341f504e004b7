import { ConfigurationError } from "../errors/configuration-error.js";
import type { Json } from "../json/json-values.js";
import type { Message } from "../message/message.js";
import type { RobotResult } from "../message/robot-result.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";
import { checkNames, checkTimeout } from "../options/check-options.js";
import type { Subscription } from "../stream/subscription.js";
import { describeValue } from "../text/describe-value.js";
import { InProcessBackend } from "./in-process-backend.js";
import { keyPattern } from "./key-pattern.js";
import type { ChangeOf, MemoryChange } from "./memory-change.js";
import { type MemoryOptions, memoryParts } from "./memory-options.js";
import { entriesOfRecord, type MemoryRecord } from "./memory-record.js";
import { MemoryStore, type Write } from "./memory-store.js";
import type { MemoryKey, MemoryValue, MemoryValues } from "./memory-values.js";
import type { WaitOptions } from "./memory-waiters.js";
import { checkKey, isReserved, RESERVED_KEYS } from "./reserved-keys.js";
import type { SemanticCache } from "./semantic-cache.js";

/**
 * What robots know together: values below keys, which can be waited for and whose changes can be listened to. A value is plain data; what is
 * kept is a frozen copy. Several handles, each with the name of its writer, can share one memory: see {@link as}.
 *
 * @typeParam Values What is below which key, e.g. `{ draft: string; facts: string[] }`. Default: anything below any key.
 */
export class Memory<Values extends object = Record<string, unknown>> {
	readonly #store: MemoryStore;
	readonly #writer: string | undefined;

	/** Throws ConfigurationError for options that are none. */
	constructor(options?: MemoryOptions);
	/** @internal A handle on a store that there is: one made only to be thrown away would cost more than all else of a short task. */
	constructor(store: MemoryStore, writer: string | undefined);
	constructor(given: MemoryOptions | MemoryStore = {}, writer?: string) {
		this.#store = given instanceof MemoryStore ? given : new MemoryStore(memoryParts(given));
		this.#writer = writer;
	}

	/** In whose name this handle makes changes. */
	get writer(): string | undefined {
		return this.#writer;
	}

	/** Another handle on the same memory: the changes made through it are those of this writer. */
	as(writer: string): Memory<Values> {
		if (typeof writer !== "string" || writer === "") throw new ConfigurationError(`A writer needs a name, got ${describeValue(writer)}.`);
		return new Memory(this.#store, writer);
	}

	/** The value, `undefined` where there is none. It is frozen: to change a part of it, set the whole. */
	get<Key extends MemoryKey<Values>>(key: Key): MemoryValue<Values, Key> | undefined {
		checkKey(key, "memory.get()");
		return this.#store.read(key) as MemoryValue<Values, Key> | undefined;
	}

	/**
	 * Keeps a copy of the value, wakes who waits for it, and tells who listens. Within a listener, others are told of it afterwards.
	 *
	 * Throws ConfigurationError for what is no plain data (a function, a Map, NaN, `undefined`), naming the place, and keeps nothing then.
	 */
	set<Key extends MemoryKey<Values>>(key: Key, value: MemoryValues<Values>[Key]): void {
		this.#change([this.#store.checked(key, value, `memory.set(${describeValue(key)})`)]);
	}

	/** Sets several keys, and tells of them when all are set. Sets none where one of them cannot be. */
	merge(values: Partial<MemoryValues<Values>>): void {
		const what = "memory.merge()";
		if (typeof values !== "object" || values === null)
			throw new ConfigurationError(`${what} takes a record, got ${describeValue(values)}.`);
		this.#setAll(Object.entries(values), what);
	}

	has(key: MemoryKey<Values>): boolean {
		return this.get(key) !== undefined;
	}

	/** Whether there was anything to delete. Throws ConfigurationError for a reserved key. */
	delete(key: MemoryKey<Values>): boolean {
		checkKey(key, "memory.delete()");
		if (isReserved(key))
			throw new ConfigurationError(`memory.delete(): "${key}" is reserved. Set it, or use reset(), which empties all of them.`);
		return this.#change([{ key }]) > 0;
	}

	/** Deletes every key but the reserved ones, and tells of them when all are gone. */
	clear(): void {
		this.#change(this.#store.keys().map((key) => ({ key })));
	}

	/** Deletes every key; the reserved ones have what they had to begin with. */
	reset(): void {
		this.#change([...this.#store.keys(), ...RESERVED_KEYS].map((key) => ({ key })));
	}

	/** The keys that are not reserved, in the order in which they came. */
	keys(): readonly MemoryKey<Values>[] {
		return this.#store.keys() as readonly MemoryKey<Values>[];
	}

	/** What {@link keys} names, with its values. */
	entries(): readonly (readonly [MemoryKey<Values>, MemoryValue<Values, MemoryKey<Values>>])[] {
		return this.#entries() as readonly (readonly [MemoryKey<Values>, MemoryValue<Values, MemoryKey<Values>>])[];
	}

	/** What is below `data`. */
	get data(): Readonly<Record<string, unknown>> {
		return this.#store.read("data") as Readonly<Record<string, unknown>>;
	}

	/** What is below `results`, read as results. */
	get results(): readonly RobotResult[] {
		return this.#store.results;
	}

	/** Puts a result behind those there are. */
	appendResult(result: RobotResult): void {
		this.#change([this.#store.appended("results", result, "memory.appendResult()")]);
	}

	/** What is below `messages`. */
	get messages(): readonly Message[] {
		return this.#store.read("messages") as unknown as readonly Message[];
	}

	/** What is below `sessionId`. */
	get sessionId(): string | undefined {
		return this.#store.read("sessionId") as string | undefined;
	}

	/**
	 * Answers by the question: finds one that was given before to a similar question. One for all handles of this memory, made when it is first
	 * asked for. It is in no clone and no `toJSON()`, and neither `clear()` nor `reset()` empties it.
	 */
	get cache(): SemanticCache {
		return this.#store.cache;
	}

	/**
	 * Resolves with the value as soon as there is one; for a list of keys, with all their values as soon as all are there at one moment, by
	 * key. Rejects with AwaitTimeoutError when the time is up before, with the signal's reason when that is aborted, and with
	 * ConfigurationError for options that are none. No deadline keeps the process alive.
	 */
	waitFor<Key extends MemoryKey<Values>>(key: Key, options?: WaitOptions): Promise<MemoryValue<Values, Key>>;
	waitFor<Key extends MemoryKey<Values>>(
		keys: readonly Key[],
		options?: WaitOptions,
	): Promise<{ readonly [One in Key]: MemoryValue<Values, One> }>;
	async waitFor(keys: string | readonly string[], options: WaitOptions = {}): Promise<unknown> {
		checkNames("memory.waitFor()", options, ["timeoutMs", "signal"]);
		checkTimeout(options.timeoutMs);
		const values = await this.#store.waiters.wait(listOf(keys, "memory.waitFor()"), options);
		return typeof keys === "string" ? values.get(keys) : Object.fromEntries(values);
	}

	/**
	 * Calls the listener with every change of the key, or of any of the keys, from now on, at once. Everybody hears the changes in the order
	 * in which they were made, whoever makes more in between. What a listener throws, or rejects with, changes nothing.
	 */
	subscribe<Key extends MemoryKey<Values>>(keys: Key | readonly Key[], listener: (change: ChangeOf<Values, Key>) => unknown): Subscription {
		return this.#store.listeners.ofKeys(listOf(keys, "memory.subscribe()"), listener as (change: MemoryChange) => unknown);
	}

	/**
	 * {@link subscribe} for every key that is like a pattern, those to come included: `*` stands for any text, `?` for one character. No
	 * pattern is about the reserved keys. Throws ConfigurationError for one of more than 1000 characters.
	 */
	subscribePattern(pattern: string, listener: (change: MemoryChange) => unknown): Subscription {
		const isLike = keyPattern(pattern);
		return this.#store.listeners.ofPattern((key) => !isReserved(key) && isLike(key), listener);
	}

	/** A memory of its own in this process, with the same values and the same writer. Nobody waits there, and nobody listens. */
	clone(): Memory<Values> {
		return new Memory(this.#store.clone(new InProcessBackend()), this.#writer);
	}

	/** Everything, ready for `JSON.stringify`; {@link Memory.fromJSON} reads it back. */
	toJSON(): MemoryRecord {
		const { data, messages, sessionId } = this;
		const results = this.#store.read("results") as unknown as readonly RobotResultRecord[];
		return { data, results, messages, ...(sessionId !== undefined && { sessionId }), custom: Object.fromEntries(this.#entries()) };
	}

	/** Reads what {@link toJSON} gave, as an object or as JSON text. Throws ConfigurationError naming what is wrong. */
	static fromJSON<Values extends object = Record<string, unknown>>(json: unknown, options: MemoryOptions = {}): Memory<Values> {
		const entries = entriesOfRecord(json);
		const memory = new Memory<Values>(options);
		memory.#setAll(entries, "Memory.fromJSON()");
		return memory;
	}

	#setAll(entries: readonly (readonly [string, unknown])[], what: string): void {
		this.#change(entries.map(([key, value]) => this.#store.checked(key, value, `${what}, ${describeValue(key)}`)));
	}

	#entries(): readonly (readonly [string, Json])[] {
		return this.#store.keys().map((key) => [key, this.#store.read(key) as Json] as const);
	}

	#change(writes: readonly Write[]): number {
		return this.#store.change(writes, this.#writer);
	}
}

/** Each key once. */
function listOf(keys: string | readonly string[], what: string): readonly string[] {
	const list: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
	for (const key of list) checkKey(key, what);
	return [...new Set(list as readonly string[])];
}
