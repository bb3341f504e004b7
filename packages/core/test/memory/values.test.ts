import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Memory } from "../../src/memory/memory.js";

const stored = (value: unknown): unknown => {
	const memory = new Memory();
	memory.set("a", value);
	return memory.get("a");
};

const isFrozenThrough = (value: unknown): boolean =>
	typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozenThrough));

/** Records in records, so many levels of them. */
function nested(levels: number): object {
	let value: object = {};
	for (let level = 1; level < levels; level += 1) value = { next: value };
	return value;
}

describe("A value of a Memory", () => {
	it("is a copy of plain data, the same as JSON would make, frozen through", () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
				const copy = stored(value);
				expect(copy).toStrictEqual(JSON.parse(JSON.stringify(value)));
				expect(isFrozenThrough(copy)).toBe(true);
			}),
		);
	});

	it("of any kind whatsoever is what it is as JSON, or is refused", () => {
		const anything = fc.anything({
			maxDepth: 3,
			withBigInt: true,
			withBoxedValues: true,
			withDate: true,
			withMap: true,
			withNullPrototype: true,
			withSet: true,
			withSparseArray: true,
			withTypedArray: true,
		});
		const kinds = { kept: 0, refused: 0 };
		fc.assert(
			fc.property(anything, (value) => {
				const memory = new Memory();
				try {
					memory.set("a", value);
				} catch (error) {
					expect(ConfigurationError.isInstance(error)).toBe(true);
					expect(memory.has("a")).toBe(false);
					kinds.refused += 1;
					return;
				}
				expect(memory.get("a")).toStrictEqual(JSON.parse(JSON.stringify(value)));
				kinds.kept += 1;
			}),
			{ numRuns: 2_000 },
		);
		expect(Math.min(kinds.kept, kinds.refused)).toBeGreaterThan(50);
	});

	it("is not changed by what becomes of the original, nor by whoever reads it", () => {
		const memory = new Memory();
		const original = { list: [{ deep: 1 }] };
		memory.set("a", original);
		original.list.push({ deep: 2 });
		expect(memory.get("a")).toEqual({ list: [{ deep: 1 }] });
		expect(() => (memory.get("a") as typeof original).list.push({ deep: 3 })).toThrow(TypeError);
		expect(() => Object.assign(memory.data, { b: 1 })).toThrow(TypeError);
		expect([memory.get("a"), memory.data]).toEqual([{ list: [{ deep: 1 }] }, {}]);
	});

	it("that was read and is set again is not copied again", () => {
		const memory = new Memory();
		memory.set("a", { big: [1, 2, 3] });
		memory.set("b", memory.get("a"));
		memory.set("c", [memory.get("a")]);
		expect(memory.get("b")).toBe(memory.get("a"));
		expect((memory.get("c") as unknown[])[0]).toBe(memory.get("a"));
		expect(memory.clone().get("a")).toBe(memory.get("a"));
	});

	class Point {
		readonly x = 1;
	}
	const circle: Record<string, unknown> = {};
	circle.self = { circle };
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();

	it.each<[string, unknown, string]>([
		["undefined", undefined, "value is undefined, which is no JSON"],
		["a function", { f: [0, () => 1] }, "value.f[1] is a function, which is no JSON"],
		["a symbol", Symbol("s"), "value is a symbol"],
		["a bigint", { n: 1n }, "value.n is a bigint"],
		["NaN", [Number.NaN], "value[0] is NaN, which JSON has no word for"],
		["infinity", Number.NEGATIVE_INFINITY, "value is -Infinity"],
		["undefined in a list", [1, undefined], "value[1] is undefined"],
		["a hole in a list", new Array(1), "value[0] is undefined"],
		["a Map", { m: new Map() }, "value.m is an instance of Map, which JSON cannot hold"],
		["bytes", new Uint8Array(2), "value is an instance of Uint8Array"],
		["an error", new Error("no"), "value is an instance of Error"],
		["an instance of a class", new Point(), "value is an instance of Point"],
		["an instance of a class without a name", new (class {})(), "value is an instance of a class"],
		["what answers with itself", new (class Itself { toJSON(): this { return this; } })(), "an instance of Itself"], // biome-ignore format: one line
		["a date that is none in a list", [{ toJSON: () => Number.NaN }], "value[0] is NaN"],
		["what holds itself", circle, "value.self.circle.self.circle.self.circle.self.circle… is nested more than 100 deep, or holds itself"],
		["what is nested too deep", nested(101), "is nested more than 100 deep"],
		["what throws when it is read", { get a() { throw new RangeError("far"); } }, "value cannot be read: reading it throws"], // biome-ignore format: one line
		["what throws further in", { b: [{ get a() { throw new RangeError("far"); } }] }, "value.b[0] cannot be read"], // biome-ignore format: one line
		["a proxy that was revoked", { proxy }, "value.proxy cannot be read"],
		["what has a very long name", { ["n".repeat(1_000)]: 1n }, `value.${"n".repeat(40)}… is a bigint`],
		["too much", Array.from({ length: 1_000_000 }, () => 1), "value[999999] is too much: more than 1000000 parts"],
	])("is never %s", (_, value, problem) => {
		const memory = new Memory();
		memory.set("a", "before");
		expect(() => memory.set("a", value)).toThrow(problem);
		expect(() => memory.set("a", value)).toThrow('memory.set("a"): ');
		expect(() => memory.set("a", value)).toThrow("It has to be plain data");
		expect(memory.get("a")).toBe("before");
	});

	it("tells what the reading failed with", () => {
		const cause = new RangeError("far");
		const unreadable = { toJSON: () => { throw cause; } }; // biome-ignore format: one line
		expect(() => stored(unreadable)).toThrow(expect.objectContaining({ cause }));
	});

	it.each<[string, unknown, unknown]>([
		["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
		["a date that is none", new Date(Number.NaN), null],
		["an address", { at: new URL("https://example.com/a") }, { at: "https://example.com/a" }],
		["an entry that is undefined", { a: undefined, b: 1 }, { b: 1 }],
		["an entry below a symbol", { [Symbol("s")]: () => 1, b: 1 }, { b: 1 }],
		["-0", [-0], [0]],
		["a record without a prototype", Object.assign(Object.create(null), { toString: 1 }), { toString: 1 }],
		["a record of another realm", runInNewContext("({ a: [1] })"), { a: [1] }],
		["a hundred levels", nested(100), nested(100)],
		["999,999 numbers", Array.from({ length: 999_999 }, () => 1), Array.from({ length: 999_999 }, () => 1)],
	])("is what JSON makes of %s", (_, value, expected) => {
		expect(stored(value)).toStrictEqual(expected);
	});

	it("keeps __proto__ as an entry, and inherits nothing by it", () => {
		const copy = stored(JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: boolean };
		expect([JSON.stringify(copy), copy.admin]).toEqual(['{"__proto__":{"admin":true}}', undefined]);
	});

	it("grows by what was read neither deeper nor larger than it may", () => {
		const memory = new Memory();
		const grow = (wrap: (value: unknown) => unknown): number => {
			memory.set("a", {});
			for (let round = 0; ; round += 1) {
				try {
					memory.set("a", wrap(memory.get("a")));
				} catch {
					return round;
				}
			}
		};
		expect(grow((value) => ({ value }))).toBe(99);
		expect(grow((value) => [value])).toBe(99);
		// each time twice as much and one: 2^20 - 1 is more than a million
		expect(grow((value) => ({ left: value, right: value }))).toBe(18);
	});

	it("ends where 2 to the power of 60 references lead to one thing", () => {
		let level: unknown = { end: true };
		for (let depth = 0; depth < 60; depth += 1) level = { left: level, right: level };
		expect(() => stored(level)).toThrow("is too much");
	});
});
