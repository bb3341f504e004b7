import type { MemoryKey, MemoryValue } from "./memory-values.js";

/** One key that was written or deleted. Frozen, plain data. */
export type MemoryChange<Key extends string = string, Value = unknown> =
	| (ChangeFacts<Key> & { readonly kind: "created"; readonly value: Value; readonly previous: undefined })
	| (ChangeFacts<Key> & { readonly kind: "updated"; readonly value: Value; readonly previous: Value })
	| (ChangeFacts<Key> & { readonly kind: "deleted"; readonly value: undefined; readonly previous: Value });

/** What is to be said of every change. */
export interface ChangeFacts<Key extends string = string> {
	readonly key: Key;
	/** The name of the handle through which it was made (`memory.as(name)`); `undefined` for one without a name. */
	readonly writer: string | undefined;
	/** Milliseconds since 1970. */
	readonly timestamp: number;
}

/** The changes of some keys, each with the type of its value. */
export type ChangeOf<Values extends object, Key extends MemoryKey<Values>> = {
	[One in Key]: MemoryChange<One, MemoryValue<Values, One>>;
}[Key];
