import { AwaitTimeoutError } from "../errors/await-timeout-error.js";
import type { Json } from "../json/json-values.js";
import { onAbort } from "../process/on-abort.js";
import type { MemoryClock } from "./memory-clock.js";

/** How long to wait for keys. */
export interface WaitOptions {
	/** One deadline for all keys, in milliseconds; 0: now or not at all. At most 2147483647. Default: none. */
	readonly timeoutMs?: number | undefined;
	/** Ends the waiting: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
}

interface Waiter {
	readonly missing: Set<string>;
	/** All keys are there: resolves with their values. */
	readonly settle: () => void;
}

/** Those who wait for keys. Each is settled once, at the moment at which its last key comes, with what is there then. */
export class MemoryWaiters {
	readonly #byKey: Map<string, Set<Waiter>> = new Map();
	readonly #clock: MemoryClock;
	readonly #read: (key: string) => Json | undefined;

	constructor(clock: MemoryClock, read: (key: string) => Json | undefined) {
		this.#clock = clock;
		this.#read = read;
	}

	/** Resolves with the value of each key. Rejects with AwaitTimeoutError, the signal's reason, or what reading fails with. */
	async wait(keys: readonly string[], { timeoutMs, signal }: WaitOptions): Promise<ReadonlyMap<string, Json>> {
		signal?.throwIfAborted();
		const missing = new Set(keys.filter((key) => this.#read(key) === undefined));
		if (missing.size === 0) return this.#values(keys);
		if (timeoutMs === 0) throw new AwaitTimeoutError([...missing], 0);
		return new Promise((resolve, reject) => {
			const end = (settle: () => void): void => {
				for (const key of keys) this.#leave(key, waiter);
				stopTimer?.();
				stopListening?.();
				settle();
			};
			const waiter: Waiter = { missing, settle: () => end(() => resolve(this.#values(keys))) };
			for (const key of keys) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(waiter));
			const isMissing = (key: string): boolean => missing.has(key);
			const ring = (): void => end(() => reject(new AwaitTimeoutError(keys.filter(isMissing), timeoutMs ?? 0)));
			const stopTimer = timeoutMs === undefined ? undefined : this.#clock.setTimer(ring, timeoutMs);
			const stopListening = signal && onAbort(signal, () => end(() => reject(signal.reason)));
		});
	}

	/** A key came, or went. */
	note(key: string, isThere: boolean): void {
		for (const waiter of this.#byKey.get(key) ?? []) {
			if (isThere) waiter.missing.delete(key);
			else waiter.missing.add(key);
			if (waiter.missing.size === 0) waiter.settle();
		}
	}

	/** Asynchronous, so that a backend that fails fails the one who waits, and not the one whose change came last. */
	async #values(keys: readonly string[]): Promise<ReadonlyMap<string, Json>> {
		return new Map(keys.map((key) => [key, this.#read(key) as Json]));
	}

	#leave(key: string, waiter: Waiter): void {
		const waiters = this.#byKey.get(key);
		if (waiters?.delete(waiter) && waiters.size === 0) this.#byKey.delete(key);
	}
}
