import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Memory } from "../../src/memory/memory.js";
import type { MemoryChange } from "../../src/memory/memory-change.js";

/** Every change of a memory that a pattern can be about, from now on. */
function changesOf(memory: Memory): MemoryChange[] {
	const changes: MemoryChange[] = [];
	memory.subscribePattern("*", (change) => changes.push(change));
	return changes;
}

const brief = ({ kind, key, value, previous, writer }: MemoryChange): unknown[] => [kind, key, value, previous, writer];

describe("A Memory", () => {
	it("gives back what was set, until it is deleted", () => {
		const memory = new Memory();
		expect([memory.get("a"), memory.has("a")]).toEqual([undefined, false]);
		memory.set("a", { score: 0.8 });
		expect([memory.get("a"), memory.has("a")]).toEqual([{ score: 0.8 }, true]);
		expect([memory.delete("a"), memory.get("a"), memory.has("a"), memory.delete("a")]).toEqual([true, undefined, false, false]);
	});

	it("has what is null, false, 0 or empty", () => {
		const memory = new Memory();
		for (const value of [null, false, 0, "", [], {}]) {
			memory.set("a", value);
			expect([memory.get("a"), memory.has("a")]).toEqual([value, true]);
		}
	});

	it("names its keys in the order in which they came", () => {
		const memory = new Memory();
		for (const key of ["b", "10", "a", "9"]) memory.set(key, key);
		memory.set("b", "again");
		memory.delete("a");
		memory.set("a", "anew");
		expect(memory.keys()).toEqual(["b", "10", "9", "a"]);
		expect(memory.entries()).toEqual([["b", "again"], ["10", "10"], ["9", "9"], ["a", "anew"]]); // biome-ignore format: pairs
	});

	it.each([
		"",
		" ",
		"__proto__",
		"constructor",
		"toString",
		"hasOwnProperty",
		"a.b",
		"a*?",
		"🤖",
		"\ud800",
		"\u0000",
		"x".repeat(1_000_000),
	])("takes any text for a key: %#", async (key) => {
		const memory = new Memory();
		expect([memory.get(key), memory.has(key), memory.keys()]).toEqual([undefined, false, []]);
		const heard: unknown[] = [];
		memory.subscribe(key, (change) => heard.push(change.key, change.value));
		const waited = memory.waitFor([key]);
		memory.set(key, { admin: true });
		expect([memory.get(key), memory.keys(), heard]).toEqual([{ admin: true }, [key], [key, { admin: true }]]);
		expect(Object.entries(await waited)).toEqual([[key, { admin: true }]]);
		expect(Memory.fromJSON(JSON.stringify(memory)).get(key)).toEqual({ admin: true });
		expect(memory.clone().get(key)).toEqual({ admin: true });
		expect(Reflect.get({}, "admin")).toBeUndefined();
		expect([memory.delete(key), memory.has(key)]).toEqual([true, false]);
	});

	it.each([[undefined], [null], [1], [Symbol("a")], [{}]])("refuses a key that is no text: %s", async (key) => {
		const memory = new Memory();
		const odd = key as unknown as string;
		for (const use of [() => memory.get(odd), () => memory.set(odd, 1), () => memory.delete(odd), () => memory.subscribe(odd, () => {})]) {
			expect(use).toThrow(ConfigurationError);
		}
		await expect(memory.waitFor(odd)).rejects.toThrow("a key must be text");
		await expect(memory.waitFor(["a", odd])).rejects.toThrow("a key must be text");
		expect(memory.keys()).toEqual([]);
	});

	it("names the option that it does not know", () => {
		expect(() => new Memory({ onListenerErrors: () => {} } as object)).toThrow('Did you mean "onListenerError"?');
		expect(() => new Memory("redis" as unknown as object)).toThrow('new Memory() takes options, got "redis".');
	});

	it("holds a hundred thousand entries that are listened to and waited for, one by one and all at once", async () => {
		const memory = new Memory();
		const keys = Array.from({ length: 100_000 }, (_, index) => `key ${index}`);
		let heard = 0;
		for (const key of keys) memory.subscribe(key, () => (heard += 1));
		const [all, each] = [memory.waitFor(keys), Promise.all(keys.map((key) => memory.waitFor(key)))];
		for (const key of keys) memory.set(key, key);
		expect([heard, Object.keys(await all).length, (await each).length, memory.keys().length]).toEqual([100_000, 100_000, 100_000, 100_000]);
		expect(Memory.fromJSON(JSON.stringify(memory)).entries()).toEqual(memory.entries());
		memory.clear();
		expect([heard, memory.keys()]).toEqual([200_000, []]);
	});
});

describe("A handle of a Memory", () => {
	it("signs its own changes, however many write side by side", async () => {
		const memory = new Memory();
		const changes = changesOf(memory);
		const write = async (name: string): Promise<void> => {
			const handle = memory.as(name);
			for (let round = 0; round < 3; round += 1) {
				await Promise.resolve();
				handle.set(`${name} ${round}`, round);
			}
		};
		await Promise.all(["analyst", "writer", "critic"].map(write));
		expect(changes).toHaveLength(9);
		for (const { key, writer } of changes) expect(key.startsWith(`${writer} `)).toBe(true);
	});

	it("is one of the same memory", async () => {
		const memory = new Memory();
		const [one, other] = [memory.as("one"), memory.as("other")];
		const waited = other.waitFor("a");
		one.set("a", 1);
		expect([memory.get("a"), other.get("a"), await waited]).toEqual([1, 1, 1]);
		expect([memory.writer, one.writer, one.as("third").writer, one.clone().writer]).toEqual([undefined, "one", "third", "one"]);
	});

	it("needs a name", () => {
		expect(() => new Memory().as("")).toThrow('A writer needs a name, got "".');
		expect(() => new Memory().as(undefined as unknown as string)).toThrow(ConfigurationError);
	});
});

describe("A change of a Memory", () => {
	it("says what became of which key, what was there before, who did it and when", () => {
		const memory = new Memory({ clock: { now: () => 7, setTimer: () => () => {} } });
		const changes = changesOf(memory);
		memory.as("robot").set("a", null);
		memory.set("a", { b: 1 });
		memory.delete("a");
		expect(changes).toStrictEqual([
			{ kind: "created", key: "a", value: null, previous: undefined, writer: "robot", timestamp: 7 },
			{ kind: "updated", key: "a", value: { b: 1 }, previous: null, writer: undefined, timestamp: 7 },
			{ kind: "deleted", key: "a", value: undefined, previous: { b: 1 }, writer: undefined, timestamp: 7 },
		]);
		for (const change of changes) expect(Object.isFrozen(change)).toBe(true);
	});

	it("is made by a value that is the same as before, and not by deleting what is not there", () => {
		const memory = new Memory();
		const changes = changesOf(memory);
		memory.delete("a");
		memory.clear();
		memory.set("a", 1);
		memory.set("a", 1);
		expect(changes.map(({ kind }) => kind)).toEqual(["created", "updated"]);
	});
});

describe("Memory.merge(), clear() and reset()", () => {
	it("change every key, in its order, before anybody is told", () => {
		const memory = new Memory();
		const seen: unknown[] = [];
		memory.subscribePattern("*", ({ kind, key }) => seen.push([kind, key, memory.keys()]));
		memory.merge({ a: 1, b: 2 });
		memory.clear();
		expect(seen).toEqual([
			["created", "a", ["a", "b"]],
			["created", "b", ["a", "b"]],
			["deleted", "a", []],
			["deleted", "b", []],
		]);
	});

	it("sign with the handle's name", () => {
		const memory = new Memory();
		const changes = changesOf(memory);
		const handle = memory.as("w");
		handle.merge({ a: 1 });
		handle.clear();
		handle.merge({ a: 2 });
		handle.reset();
		expect(changes.map(brief)).toEqual([
			["created", "a", 1, undefined, "w"],
			["deleted", "a", undefined, 1, "w"],
			["created", "a", 2, undefined, "w"],
			["deleted", "a", undefined, 2, "w"],
		]);
	});

	it("merges nothing where one value is no data", () => {
		const memory = new Memory();
		const changes = changesOf(memory);
		expect(() => memory.merge({ a: 1, b: () => 2 })).toThrow('memory.merge(), "b": value is a function');
		expect(() => memory.merge(null as unknown as object)).toThrow("memory.merge() takes a record, got null.");
		expect([memory.keys(), changes]).toEqual([[], []]);
	});
});

describe("A clone of a Memory", () => {
	it("has the same values, and shares no change, no listener and no waiter", async () => {
		const memory = new Memory();
		memory.merge({ a: { deep: [1] }, data: { b: 2 }, sessionId: "s" });
		const changes = changesOf(memory);
		const waited = memory.waitFor("late");
		const clone = memory.clone();
		expect(clone.toJSON()).toStrictEqual(memory.toJSON());
		clone.merge({ late: "clone", a: 2, data: {} });
		clone.delete("a");
		expect([memory.get("a"), memory.data, changes]).toEqual([{ deep: [1] }, { b: 2 }, []]);
		memory.set("late", "memory");
		expect([await waited, clone.get("late")]).toEqual(["memory", "clone"]);
	});

	it("tells of its failing listeners as the original does", () => {
		const failures: unknown[] = [];
		const clone = new Memory({ onListenerError: (error) => failures.push(error) }).clone();
		clone.subscribe("a", () => {
			throw "broken";
		});
		clone.set("a", 1);
		expect(failures).toEqual(["broken"]);
	});
});
