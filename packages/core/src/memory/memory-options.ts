import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { InProcessBackend } from "./in-process-backend.js";
import type { MemoryBackend } from "./memory-backend.js";
import { hostClock, type MemoryClock } from "./memory-clock.js";
import type { MemoryParts } from "./memory-store.js";
import { checkCacheOptions, type SemanticCacheOptions } from "./semantic-cache-options.js";

/** What a memory is made with. */
export interface MemoryOptions {
	/** Where the values are kept. Default: in this process. */
	readonly backend?: MemoryBackend | undefined;
	/**
	 * Told what a listener throws or rejects with; what it fails with itself changes nothing. Default: a process warning, once for each
	 * listener.
	 */
	readonly onListenerError?: ((error: unknown) => unknown) | undefined;
	/** Default: that of the host. */
	readonly clock?: MemoryClock | undefined;
	/** How `memory.cache` finds answers, and how long it keeps them. Default: see there. */
	readonly cache?: SemanticCacheOptions | undefined;
}

const NAMES: readonly (keyof MemoryOptions)[] = ["backend", "onListenerError", "clock", "cache"];

/** Throws ConfigurationError for an unknown option, a backend of another version, and a cache that cannot be. */
export function memoryParts(options: MemoryOptions): MemoryParts {
	checkNames("new Memory()", options, NAMES);
	const { backend = new InProcessBackend(), clock = hostClock, onListenerError, cache = {} } = options;
	checkCacheOptions("new Memory({ cache })", cache);
	if (backend.specificationVersion !== "v1") {
		const given = describeValue(backend.specificationVersion);
		throw new ConfigurationError(`A memory needs a backend of version "v1" of the contract, got ${given}. Use a version of it that fits.`);
	}
	return { backend, clock, onListenerError, cache };
}
