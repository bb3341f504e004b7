import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frozenCopy, frozenEntries } from "../../src/value/frozen-copy.js";

const isFrozenThrough = (value: unknown, seen = new Set<unknown>()): boolean => {
	if (typeof value !== "object" || value === null || seen.has(value)) return true;
	seen.add(value);
	return Object.isFrozen(value) && Reflect.ownKeys(value).every((key) => isFrozenThrough(Reflect.get(value, key), seen));
};

/** How deep the records `{ next }` of a value go, and what is at their end. */
function endOfChain(value: unknown): { depth: number; end: unknown } {
	let depth = 0;
	let end = value;
	for (; typeof end === "object" && end !== null; depth += 1) end = (end as { next: unknown }).next;
	return { depth, end };
}

describe("frozenCopy()", () => {
	it("gives what JSON can hold back as it was, frozen through and shared with nobody", () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
				const copy = frozenCopy(value);
				expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
				expect(isFrozenThrough(copy)).toBe(true);
				if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
			}),
		);
	});

	it("gives anything at all back as something that JSON.stringify can write and nobody can change", () => {
		const anything = fc.anything({
			maxDepth: 4,
			withBigInt: true,
			withBoxedValues: true,
			withDate: true,
			withMap: true,
			withNullPrototype: true,
			withObjectString: true,
			withSet: true,
			withSparseArray: true,
			withTypedArray: true,
		});
		fc.assert(
			fc.property(anything, (value) => {
				const copy = frozenCopy(value);
				expect(() => JSON.stringify(copy)).not.toThrow();
				expect(isFrozenThrough(copy)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	it("is not changed by what becomes of the original", () => {
		const original = { list: [{ deep: 1 }], when: new Date(0), names: new Set(["a"]), bytes: new Uint8Array([1]) };
		const copy = JSON.stringify(frozenCopy(original));
		original.list[0] = { deep: 2 };
		original.when.setTime(9);
		original.names.add("b");
		original.bytes[0] = 9;
		expect(JSON.stringify(frozenCopy({ list: [{ deep: 1 }], when: new Date(0), names: new Set(["a"]), bytes: new Uint8Array([1]) }))).toBe(
			copy,
		);
	});

	class Point {
		readonly x = 1;
		readonly #secret = 2;
		get sum(): number {
			return this.x + this.#secret;
		}
		method(): number {
			return this.sum;
		}
	}
	class Money {
		readonly cents = 5;
		toJSON(): object {
			return { amount: this.cents / 100, raw: 5n };
		}
	}
	class Itself {
		readonly value = 1;
		toJSON(): this {
			return this;
		}
	}

	it.each<[string, unknown, unknown]>([
		["a date its ISO text", new Date(0), "1970-01-01T00:00:00.000Z"],
		["a date that is none null", new Date(Number.NaN), null],
		["an address its text", new URL("https://example.com/a"), "https://example.com/a"],
		["an instance its own entries", new Point(), { x: 1 }],
		["an instance with toJSON what that answers", new Money(), { amount: 0.05, raw: "5" }],
		["an instance whose toJSON answers with itself its own entries", new Itself(), { value: 1 }],
		["a map its pairs", new Map([["a", new Map([[1, 2n]])]]), [["a", [[1, "2"]]]]],
		["a set its members", new Set([1, "a"]), [1, "a"]],
		["bytes base64", { bytes: Buffer.from("hello") }, { bytes: "aGVsbG8=" }],
		["a window on bytes only what it shows", new Uint8Array([1, 2, 3, 4]).subarray(1, 3), "AgM="],
		["a bigint its digits", 2n ** 70n, "1180591620717411303424"],
		["a function undefined", { f: () => 1, g: [Symbol.iterator, 1] }, { f: undefined, g: [undefined, 1] }],
		["what has a symbol for its name nothing", { [Symbol.for("x")]: {}, a: 1 }, { a: 1 }],
		["a list with holes one without", Object.assign(new Array(3), { 0: 1, 2: 3 }), [1, undefined, 3]],
		[
			"text, numbers and what is nothing themselves",
			["a", -0, Number.NaN, null, undefined, true],
			["a", -0, Number.NaN, null, undefined, true],
		],
	])("makes of %s", (_, value, expected) => {
		expect(frozenCopy(value)).toStrictEqual(expected);
	});

	it("makes of an error its name and message, its code and cause, without the stack", () => {
		const cause = new RangeError("far");
		const error = Object.assign(new TypeError("no", { cause }), { code: "E_NO" });
		expect(frozenCopy({ error })).toStrictEqual({
			error: { name: "TypeError", message: "no", code: "E_NO", cause: { name: "RangeError", message: "far" } },
		});
	});

	it("keeps __proto__, constructor and toString as entries, and inherits nothing by them", () => {
		const value = JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":"x"}');
		const copy = frozenCopy(value);
		expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
		expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
		expect(copy.admin).toBeUndefined();
		expect(Reflect.get({}, "admin")).toBeUndefined();
	});

	it("keeps a record without a prototype one without", () => {
		const copy = frozenCopy({ counts: Object.assign(Object.create(null), { toString: 1 }) });
		expect(Object.getPrototypeOf(copy.counts)).toBeNull();
		expect("constructor" in copy.counts).toBe(false);
	});

	it("does not take over what was put onto Object.prototype", () => {
		Object.defineProperty(Object.prototype, "polluted", { value: { yes: true }, enumerable: true, configurable: true, writable: true });
		const copy = frozenCopy({ a: { b: 1 } });
		Reflect.deleteProperty(Object.prototype, "polluted");
		expect(JSON.stringify(copy)).toBe('{"a":{"b":1}}');
		expect("polluted" in copy).toBe(false);
	});

	it("says so where something holds itself", () => {
		const circle: Record<string, unknown> = { name: "circle", list: [] };
		circle.self = circle;
		(circle.list as unknown[]).push(circle);
		const map = new Map<string, unknown>();
		map.set("self", map);
		expect(frozenCopy({ circle, map })).toStrictEqual({
			circle: { name: "circle", list: ["[refers to itself]"], self: "[refers to itself]" },
			map: [["self", "[refers to itself]"]],
		});
	});

	it("copies what is referred to twice once", () => {
		const shared = { a: 1 };
		const copy = frozenCopy({ one: shared, two: [shared] });
		expect(copy).toStrictEqual({ one: { a: 1 }, two: [{ a: 1 }] });
		expect(copy.one).toBe(copy.two[0]);
	});

	it("ends, and leaves something that can be written, where 2 to the power of 60 references lead to one thing", () => {
		let level: unknown = { end: true };
		for (let depth = 0; depth < 60; depth += 1) level = { left: level, right: level };
		const text = JSON.stringify(frozenCopy(level));
		expect(text).toContain('"end":true');
		expect(text).toContain("[too much]");
		expect(text.length).toBeLessThan(20_000_000);
	});

	it("ends where reading makes ever more to read", () => {
		const endless = (): object => ({
			get left() {
				return endless();
			},
			get right() {
				return endless();
			},
		});
		expect(JSON.stringify(frozenCopy(endless())).length).toBeLessThan(20_000_000);
	});

	it("holds a hundred levels, and says so below them", () => {
		let chain: object = {};
		for (let depth = 0; depth < 100_000; depth += 1) chain = { next: chain };
		expect(endOfChain(frozenCopy(chain))).toEqual({ depth: 100, end: "[nested too deep]" });
	});

	it("copies a list of a million numbers, and of records as many as a log is for", () => {
		expect(frozenCopy(Array.from({ length: 1_000_000 }, (_, index) => index))).toHaveLength(1_000_000);
		const rows = Array.from({ length: 99_999 }, (_, row) => ({ row }));
		expect(frozenCopy(rows).at(-1)).toEqual({ row: 99_998 });
		expect(frozenCopy([...rows, { row: 99_999 }]).at(-1)).toBe("[too much]");
	});

	it("says so where reading throws, and keeps everything around it", () => {
		const { proxy, revoke } = Proxy.revocable({}, {});
		revoke();
		const throwing = {
			fine: 1,
			get broken(): string {
				throw new Error("no");
			},
			alsoFine: [2],
		};
		const unreadable = {
			toJSON() {
				throw new Error("no");
			},
		};
		expect(frozenCopy({ throwing, unreadable, proxy, list: [proxy, 3] })).toStrictEqual({
			throwing: { fine: 1, broken: "[cannot be read]", alsoFine: [2] },
			unreadable: "[cannot be read]",
			proxy: "[cannot be read]",
			list: ["[cannot be read]", 3],
		});
	});

	it("a getter is read once, and its answer kept", () => {
		let read = 0;
		const copy = frozenCopy({
			get count() {
				read += 1;
				return { read };
			},
		});
		expect(copy).toStrictEqual({ count: { read: 1 } });
		expect(Object.getOwnPropertyDescriptor(copy, "count")).toMatchObject({ value: { read: 1 } });
	});
});

describe("frozenEntries()", () => {
	it("puts the entries of the second over those of the first", () => {
		expect(frozenEntries({ a: [1], b: 2 }, { b: 3 })).toStrictEqual({ a: [1], b: 3 });
	});

	it("reads what it can where an entry throws", () => {
		const entries = {
			a: { b: 1 },
			get broken(): string {
				throw new Error("no");
			},
		};
		const made = frozenEntries(entries, { c: 1 });
		expect(made).toStrictEqual({ a: { b: 1 }, broken: "[cannot be read]", c: 1 });
		expect(isFrozenThrough(made)).toBe(true);
	});

	it("leaves out what has a symbol for its name", () => {
		expect(Reflect.ownKeys(frozenEntries({ [Symbol("a")]: { changeable: true }, b: 1 }, {}))).toEqual(["b"]);
	});
});
