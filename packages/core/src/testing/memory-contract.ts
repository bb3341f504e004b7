import assert from "node:assert/strict";
import type { MemoryBackend } from "../memory/memory-backend.js";
import type { ContractRunner } from "./executor-contract.js";
import { MEMORY_FACTS } from "./memory-facts.js";

/**
 * The contract of {@link MemoryBackend} v1 as tests. `make` is called anew for every test, and has to give a backend without any key: a
 * directory, a table or a prefix of its own.
 */
export function describeMemoryBackend(name: string, make: () => MemoryBackend | Promise<MemoryBackend>, runner: ContractRunner): void {
	runner.describe(`${name} keeps the contract of MemoryBackend v1`, () => {
		runner.it("says its version and has a name", async () => {
			const backend = await make();
			assert.equal(backend.specificationVersion, "v1");
			assert.match(backend.name, /\S/);
		});
		for (const [title, fact] of Object.entries(MEMORY_FACTS)) runner.it(title, async () => fact(await make()));
	});
}
