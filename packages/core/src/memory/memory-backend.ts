import type { Json } from "../json/json-values.js";

/**
 * Where a memory keeps its values: version 1 of the contract. `describeMemoryBackend` of `@robot-lab/core/testing` tests it.
 *
 * It is synchronous, as `memory.get` is: a store at the end of a network is kept in step by a local copy of it. One backend belongs to one
 * memory; what others write into the same store is not noticed. What a method throws, the memory's method throws, and nobody is told of
 * a change.
 */
export interface MemoryBackend {
	readonly specificationVersion: "v1";
	/** For messages, e.g. `"sqlite"`. */
	readonly name: string;
	/** The value that was written last, `undefined` where there is none. `null` is a value. */
	read(key: string): Json | undefined;
	/** Keeps the value. A key can be any text at all, the empty one and `__proto__` included. */
	write(key: string, value: Json): void;
	/** Forgets the key. Harmless where there is none. */
	remove(key: string): void;
	/** All keys, in the order in which they came: one that is written again keeps its place. What is done while they are read changes nothing. */
	keys(): readonly string[];
}
