import type { Json } from "../json/json-values.js";
import type { MemoryBackend } from "./memory-backend.js";

/** Keeps values for as long as the process lives. What a memory uses where it is given no other. */
export class InProcessBackend implements MemoryBackend {
	readonly specificationVersion = "v1" as const;
	readonly name = "in-process";
	readonly #values: Map<string, Json> = new Map();

	read(key: string): Json | undefined {
		return this.#values.get(key);
	}

	write(key: string, value: Json): void {
		this.#values.set(key, value);
	}

	remove(key: string): void {
		this.#values.delete(key);
	}

	keys(): readonly string[] {
		return [...this.#values.keys()];
	}
}
