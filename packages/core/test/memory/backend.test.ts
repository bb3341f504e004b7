import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json-values.js";
import { InProcessBackend } from "../../src/memory/in-process-backend.js";
import { Memory } from "../../src/memory/memory.js";
import type { MemoryBackend } from "../../src/memory/memory-backend.js";
import { RobotResult } from "../../src/message/robot-result.js";
import { describeMemoryBackend } from "../../src/testing/memory-contract.js";
import { MEMORY_FACTS } from "../../src/testing/memory-facts.js";

const directory = mkdtempSync(join(tmpdir(), "memory-backend-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const newFile = (): string => join(directory, `${randomUUID()}.json`);

/** Keeps a memory in a file, as a list of pairs: a record would forget the order of keys that are numbers. */
class FileBackend implements MemoryBackend {
	readonly specificationVersion = "v1" as const;
	readonly name: string = "file";
	readonly #file: string;

	constructor(file: string) {
		this.#file = file;
	}

	read(key: string): Json | undefined {
		return this.#load().get(key);
	}

	write(key: string, value: Json): void {
		this.#save(this.#load().set(key, value));
	}

	remove(key: string): void {
		const values = this.#load();
		values.delete(key);
		this.#save(values);
	}

	keys(): readonly string[] {
		return [...this.#load().keys()];
	}

	#load(): Map<string, Json> {
		try {
			return new Map(JSON.parse(readFileSync(this.#file, "utf8")) as [string, Json][]);
		} catch {
			return new Map();
		}
	}

	#save(values: ReadonlyMap<string, Json>): void {
		writeFileSync(this.#file, JSON.stringify([...values]));
	}
}

describeMemoryBackend("The backend in process", () => new InProcessBackend(), { describe, it });
describeMemoryBackend("A backend of a file", () => new FileBackend(newFile()), { describe, it });

/** Runs the whole contract against backends and gives the titles that fail. */
async function failuresOf(make: () => MemoryBackend): Promise<string[]> {
	const tests: [string, () => Promise<void>][] = [];
	describeMemoryBackend("broken", make, { describe: (_, body) => body(), it: (title, body) => void tests.push([title, body]) });
	const outcomes = await Promise.all(tests.map(async ([title, body]) => body().then(() => [], () => [title]))); // biome-ignore format: one line
	return outcomes.flat();
}

const changed = (change: (backend: InProcessBackend) => Partial<MemoryBackend>): (() => MemoryBackend) => {
	return () => {
		const backend = new InProcessBackend();
		const plain: MemoryBackend = {
			specificationVersion: "v1",
			name: "changed",
			read: (key) => backend.read(key),
			write: (key, value) => backend.write(key, value),
			remove: (key) => backend.remove(key),
			keys: () => backend.keys(),
		};
		return { ...plain, ...change(backend) };
	};
};

describe("describeMemoryBackend()", () => {
	it("finds no fault with one that is whole", async () => {
		expect(await failuresOf(changed(() => ({})))).toEqual([]);
	});

	it.each<[string, () => MemoryBackend, string]>([
		["has no name", changed(() => ({ name: " " })), "says its version and has a name"],
		["was never empty", changed(() => ({ keys: () => ["a"] })), "has nothing before anything was written"],
		[
			"takes null for nothing",
			changed((backend) => ({ read: (key) => backend.read(key) ?? undefined })),
			"gives every kind of value back as it was, each time",
		],
		[
			"takes texts for JSON",
			changed((backend) => ({
				read(key) {
					const value = backend.read(key);
					try {
						return typeof value === "string" ? JSON.parse(value) : value;
					} catch {
						return value;
					}
				},
			})),
			"gives every kind of value back as it was, each time",
		],
		[
			"keeps what was first",
			changed((backend) => ({ write: (key, value) => (backend.read(key) === undefined ? backend.write(key, value) : undefined) })),
			"gives what was written last",
		],
		[
			"knows no capitals",
			changed((backend) => ({
				read: (key) => backend.read(key.toLowerCase()),
				write: (key, value) => backend.write(key.toLowerCase(), value),
			})),
			"takes any text for a key, and none for another",
		],
		[
			"sorts its keys",
			changed((backend) => ({ keys: () => backend.keys().toSorted() })),
			"names keys in the order in which they came, and one that was gone behind the others",
		],
		[
			"moves a key that is written again",
			changed((backend) => ({
				write(key, value) {
					backend.remove(key);
					backend.write(key, value);
				},
			})),
			"names keys in the order in which they came, and one that was gone behind the others",
		],
		["forgets nothing", changed(() => ({ remove: () => {} })), "forgets what is removed, and nothing else"],
		[
			"throws for what is not there",
			changed((backend) => ({
				remove(key) {
					assert.ok(backend.read(key) !== undefined);
					backend.remove(key);
				},
			})),
			"does not mind removing what is not there",
		],
		[
			"keeps a few keys only",
			changed((backend) => ({ write: (key, value) => (backend.keys().length < 500 ? backend.write(key, value) : undefined) })),
			"keeps a thousand keys apart",
		],
	])("finds fault with a backend that %s", async (_, make, title) => {
		assert.ok(title in MEMORY_FACTS || title.startsWith("says"));
		expect(await failuresOf(make)).toContain(title);
	});
});

describe("A Memory with a backend", () => {
	it("has what another had before it, reserved keys included", () => {
		const file = newFile();
		const before = new Memory({ backend: new FileBackend(file) });
		before.merge({ text: "1", record: { a: [1] }, data: { b: 1 }, sessionId: "s", results: [result] });
		const after = new Memory({ backend: new FileBackend(file) });
		expect(after.toJSON()).toStrictEqual(before.toJSON());
		expect([after.keys(), after.get("text"), after.results[0]]).toEqual([["text", "record"], "1", result]);
	});

	it("gives what nobody can change, whatever the backend gives", () => {
		const memory = new Memory({ backend: new FileBackend(newFile()) });
		memory.set("a", { deep: [1] });
		const value = memory.get("a") as { deep: number[] };
		expect(() => value.deep.push(2)).toThrow(TypeError);
		expect(memory.get("a")).toEqual({ deep: [1] });
	});

	it("says which backend gave what it was never given", () => {
		const memory = new Memory({ backend: changed(() => ({ read: () => [undefined] as unknown as Json }))() });
		expect(() => memory.get("a")).toThrow('The memory backend "changed" gave what it cannot have been given: value[0] is undefined');
	});

	it("changes nothing and tells nobody where the backend fails", () => {
		const fails = (): never => {
			throw new Error("disk full");
		};
		const memory = new Memory({ backend: changed(() => ({ write: fails, remove: fails }))() });
		let heard = 0;
		memory.subscribe("a", () => (heard += 1));
		expect(() => memory.set("a", 1)).toThrow("disk full");
		expect([memory.has("a"), memory.delete("a"), heard]).toEqual([false, false, 0]);
	});

	it("needs one of a version that it knows", () => {
		const backend = { ...changed(() => ({}))(), specificationVersion: "v2" } as unknown as MemoryBackend;
		expect(() => new Memory({ backend })).toThrow('A memory needs a backend of version "v1" of the contract, got "v2".');
	});

	it("is cloned into the process, away from the backend", () => {
		const file = newFile();
		const memory = new Memory({ backend: new FileBackend(file) });
		memory.merge({ a: 1, sessionId: "s" });
		const clone = memory.clone();
		clone.set("a", 2);
		clone.set("b", 3);
		expect([memory.get("a"), new FileBackend(file).keys(), clone.sessionId]).toEqual([1, ["a", "sessionId"], "s"]);
	});
});

const result = new RobotResult({
	id: "r",
	robotName: "bob",
	output: [{ type: "text", role: "assistant", content: "Hello." }],
	toolCalls: [],
	stopReason: "stop",
	createdAt: new Date(0),
	durationMs: 5,
});
