import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { InProcessBackend } from "./in-process-backend.js";
import type { MemoryBackend } from "./memory-backend.js";
import { hostClock, type MemoryClock } from "./memory-clock.js";
import type { MemoryParts } from "./memory-store.js";

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
}

const NAMES: readonly (keyof MemoryOptions)[] = ["backend", "onListenerError", "clock"];

/** Throws ConfigurationError for an unknown option, and for a backend of another version. */
export function memoryParts(options: MemoryOptions): MemoryParts {
	checkNames("new Memory()", options, NAMES);
	const { backend = new InProcessBackend(), clock = hostClock, onListenerError } = options;
	if (backend.specificationVersion !== "v1") {
		const given = describeValue(backend.specificationVersion);
		throw new ConfigurationError(`A memory needs a backend of version "v1" of the contract, got ${given}. Use a version of it that fits.`);
	}
	return { backend, clock, onListenerError };
}
